package dev.millrace.sensors.definition;

import dev.millrace.sensors.filter.DependencyFilter;
import org.jspecify.annotations.Nullable;

/**
 * An event that triggers wait for.
 *
 * @param source name of the event source, compared exactly
 * @param event name of its event, compared exactly
 * @param broken why no event can be judged by it, null if all is well
 */
public record DependencyDefinition(
        String name,
        String source,
        String event,
        DependencyFilter filter,
        @Nullable String broken) {}
