package dev.millrace.workflowengine.locks;

import dev.millrace.schemas.record.LockRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What happens to the locks. */
public sealed interface LockInput {

    /** A record of {@code lock-requests}. */
    record Requested(LockRequest request) implements LockInput {}

    /**
     * A ConfigMap is new, changed or gone.
     *
     * @param data its values; absent if it is gone
     */
    record LimitsChanged(String namespace, String configMap, @Nullable Map<String, String> data)
            implements LockInput {}

    /** Look again at a claimant whose limits were not there when it asked. */
    record LookAgain(String id) implements LockInput {}

    /** Go on granting what the last decision left. */
    record GrantMore() implements LockInput {}

    /**
     * Tell the holders again what they were told, from the one after this id on: those that do not
     * want their locks any more then release them.
     */
    record TellAgain(String after) implements LockInput {}
}
