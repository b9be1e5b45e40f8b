package dev.millrace.schemas.record;

import org.jspecify.annotations.Nullable;

/** Marks a hook node or an attempt; present without marks on groups and on nodes that never ran. */
public record NodeFlag(@Nullable Boolean hooked, @Nullable Boolean retried) {
    public static final NodeFlag NONE = new NodeFlag(null, null);
    public static final NodeFlag HOOKED = new NodeFlag(true, null);
    public static final NodeFlag RETRIED = new NodeFlag(null, true);
}
