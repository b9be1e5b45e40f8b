package dev.millrace.sensors.binding;

import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.NearestName;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.DocumentPath;
import java.util.ArrayList;
import java.util.List;

/** What lint and the API say about a WorkflowEventBinding beside its structure and its template. */
public final class BindingCheck {

    private static final List<String> VARIABLES =
            List.of("payload", "metadata", "discriminator", "namespace");

    private BindingCheck() {}

    /**
     * @param document one that is valid
     */
    public static List<Problem> check(ManifestDocument document) {
        BindingDefinition binding = BindingDefinition.compile(document.manifest(), 0);
        List<Problem> problems = new ArrayList<>();
        for (BindingExpression expression : binding.expressions()) {
            ExprProgram program = expression.program();
            if (program == null) {
                problems.add(
                        error(
                                document,
                                expression.path(),
                                "is no expression: " + expression.broken(),
                                "texts within an expression are quoted"));
            } else {
                program.variables().stream()
                        .filter(name -> !VARIABLES.contains(name))
                        .sorted()
                        .map(name -> unknown(document, expression.path(), name))
                        .forEach(problems::add);
            }
        }
        BoundSubmission submission = binding.submission();
        if (submission != null) {
            parameters(document, submission, problems);
        }
        return problems;
    }

    private static void parameters(
            ManifestDocument document, BoundSubmission submission, List<Problem> problems) {
        DocumentPath path =
                DocumentPath.ROOT.key("spec").key("submit").key("arguments").key("parameters");
        int position = 0;
        for (var parameter : submission.parameters().entrySet()) {
            if (parameter.getValue().isEmpty()) {
                problems.add(
                        error(
                                document,
                                path.index(position).key("valueFrom"),
                                "parameter '%s' of a binding needs valueFrom.event"
                                        .formatted(parameter.getKey()),
                                "write an expression; a fixed text is one in quotes, such as '\"text\"'"));
            }
            position++;
        }
    }

    /** It is nil for every event, which the field allows. */
    private static Problem unknown(ManifestDocument document, DocumentPath path, String name) {
        return Problem.warning(
                document.places().of(path),
                path.toString(),
                "there is no '%s'; an expression of a binding sees %s"
                        .formatted(name, String.join(", ", VARIABLES)),
                NearestName.to(name, VARIABLES)
                        .map(nearest -> "did you mean " + nearest + "?")
                        .orElse(""));
    }

    private static Problem error(
            ManifestDocument document, DocumentPath path, String message, String hint) {
        return Problem.error(document.places().of(path), path.toString(), message, hint);
    }
}
