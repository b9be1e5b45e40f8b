package dev.millrace.expressions.tag;

import dev.millrace.expressions.expr.Environment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an expression has to wait for a later stage. Without this, an unknown member
 * would be nil and {@code x == nil} true too early.
 */
final class LateVariables {

    private static final Set<String> LATE_ROOTS =
            Set.of("item", "retries", "lastRetry", "steps", "tasks");
    private static final Set<String> LATE_WORKFLOW_MEMBERS = Set.of("status", "failures");

    private final Scope scope;
    private final Environment environment;

    LateVariables(Scope scope, Environment environment) {
        this.scope = scope;
        this.environment = environment;
    }

    /** The first path, or beginning of one, whose node does not exist yet. */
    static Lookup.@Nullable NotYet waitingFor(Set<List<String>> paths, Scope scope) {
        for (List<String> path : paths) {
            for (int length = path.size(); length >= 2; length--) {
                Lookup found = scope.lookup(String.join(".", path.subList(0, length)));
                if (found instanceof Lookup.NotYet waiting) {
                    return waiting;
                }
                if (!(found instanceof Lookup.Missing)) {
                    break;
                }
            }
        }
        return null;
    }

    /**
     * Whether the program reads a name that is not known, or a member that a later stage brings.
     */
    boolean isAnyUnknown(CompiledExpression.Program program) {
        for (String variable : program.variables()) {
            if (!environment.has(variable)) {
                return true;
            }
        }
        for (List<String> path : program.paths()) {
            if (isLate(path) && !isKnown(path)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLate(List<String> path) {
        String root = path.getFirst();
        return LATE_ROOTS.contains(root)
                || (root.equals("workflow")
                        && path.size() > 1
                        && LATE_WORKFLOW_MEMBERS.contains(path.get(1)));
    }

    private boolean isKnown(List<String> path) {
        Lookup found = scope.lookup(String.join(".", path));
        if (found instanceof Lookup.Value || found instanceof Lookup.Absent) {
            return true;
        }
        Object at = environment.get(path.getFirst());
        for (String member : path.subList(1, path.size())) {
            if (!(at instanceof Map<?, ?> map) || !map.containsKey(member)) {
                return false;
            }
            at = map.get(member);
        }
        return true;
    }
}
