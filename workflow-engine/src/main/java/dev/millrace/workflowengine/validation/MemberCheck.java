package dev.millrace.workflowengine.validation;

import dev.millrace.workflowengine.validation.Scopes.Sibling;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks one step or task with all that stands in it: tags, call, hooks, an inline template. */
final class MemberCheck {
    private static final List<String> LOOPS = List.of("withItems", "withParam", "withSequence");

    private final CallCheck calls;
    private final TagCheck tags;
    private final InlineCheck inline;

    /** Checks a template that stands in the call. */
    interface InlineCheck {
        void check(PlacedTemplate template, Known outer);
    }

    MemberCheck(CallCheck calls, TagCheck tags, InlineCheck inline) {
        this.calls = calls;
        this.tags = tags;
        this.inline = inline;
    }

    /** What others see of a step or task. */
    Sibling sibling(String scope, Call call) {
        return new Sibling(calls.found(scope, call), call.isLoop());
    }

    /**
     * Checks a step or task.
     *
     * @param known variables of the enclosing template where the member starts
     * @param own the variables of the member itself, which its hooks know too
     */
    void check(String scope, Call call, Known known, Known own) {
        Known inLoop = known.or(Scopes.ofLoop(call));
        Set<String> elsewhere = new HashSet<>(LOOPS);
        elsewhere.addAll(List.of("hooks", "inline"));
        tags.check(call.node(), call.where(), call.label(), inLoop, elsewhere);
        // What a loop runs over cannot depend on its items.
        for (String loop : LOOPS) {
            tags.check(
                    call.node().path(loop), call.where().key(loop), call.label(), known, Set.of());
        }
        PlacedTemplate target = calls.member(scope, call);
        if (target != null && target.inline()) {
            inline.check(target, inLoop);
        }
        call.hooks().forEach(hook -> calls.hook(scope, hook, inLoop.or(own)));
    }
}
