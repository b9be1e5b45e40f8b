/**
 * Memoization caches. A cache is a ConfigMap, as users of this field know it: it can be looked at,
 * filled beforehand, and deleted to clear the cache. Workflows ask through the log and are answered
 * through the log, so the core of the engine depends on nothing outside of its inputs.
 */
@NullMarked
package dev.millrace.workflowengine.cache;

import org.jspecify.annotations.NullMarked;
