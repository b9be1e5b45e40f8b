package dev.millrace.sensors.binding;

import dev.millrace.expressions.expr.Environment;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.workflow.WorkflowEventBindingSpec;
import dev.millrace.schemas.workflow.WorkflowEventBindingSpec.Submit;
import dev.millrace.schemas.yaml.DocumentPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A WorkflowEventBinding, compiled.
 *
 * @param version of the manifest
 * @param submission null if it submits nothing
 */
public record BindingDefinition(
        String namespace,
        String name,
        long version,
        BindingExpression selector,
        @Nullable BoundSubmission submission) {

    private static final DocumentPath SPEC = DocumentPath.ROOT.key("spec");

    /**
     * Compiles a manifest whose structure is sound. Expressions that are none fail for each event.
     *
     * @throws tools.jackson.core.JacksonException if the structure is not sound
     */
    public static BindingDefinition compile(Manifest manifest, long version) {
        WorkflowEventBindingSpec spec = manifest.content(WorkflowEventBindingSpec.class);
        String name = String.valueOf(manifest.name());
        Submit submit = spec.submit();
        return new BindingDefinition(
                manifest.namespace(),
                name,
                version,
                BindingExpression.of(
                        SPEC.key("event").key("selector"), "template", spec.event().selector()),
                submit == null
                        ? null
                        : BoundSubmission.compile(
                                manifest.namespace(), name, submit, SPEC.key("submit")));
    }

    /** What the binding makes of an event. */
    public BindingVerdict judge(Environment event) {
        try {
            Object selected = selector.evaluate(event);
            if (!(selected instanceof Boolean matched)) {
                return new BindingVerdict.Undecided(
                        "malformed workflow template expression: did not evaluate to boolean");
            }
            if (!matched) {
                return new BindingVerdict.Passes("the selector is false");
            }
        } catch (BindingException e) {
            return new BindingVerdict.Undecided(String.valueOf(e.getMessage()));
        }
        if (submission == null) {
            return new BindingVerdict.Passes("the binding has no submit");
        }
        try {
            return new BindingVerdict.Submits(submission.workflow(event));
        } catch (BindingException e) {
            return new BindingVerdict.Failed(String.valueOf(e.getMessage()));
        }
    }

    /** All of its expressions. */
    List<BindingExpression> expressions() {
        List<BindingExpression> all = new ArrayList<>(List.of(selector));
        Optional.ofNullable(submission).ifPresent(s -> all.addAll(s.expressions()));
        return all;
    }
}
