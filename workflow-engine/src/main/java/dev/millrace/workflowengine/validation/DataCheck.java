package dev.millrace.workflowengine.validation;

import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.expr.ExprSyntaxException;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Checks templates that list an artifact store. Texts with tags are known only when they run. */
final class DataCheck {
    private final Findings findings;

    DataCheck(Findings findings) {
        this.findings = findings;
    }

    void check(PlacedTemplate template) {
        JsonNode data = template.body().path("data");
        Where where = template.where().key("data");
        String label = template.label() + ".data";
        if (!data.path("source").path("artifactPaths").isObject()) {
            findings.error(
                    where.key("source"),
                    label + ".source.artifactPaths is required",
                    "say whose files are to be listed, such as artifactPaths: {name: files, s3: {bucket: b, key: folder}}");
        }
        JsonNode steps = data.path("transformation");
        for (int i = 0; i < steps.size(); i++) {
            expression(
                    steps.get(i).path("expression").asString(""),
                    where.key("transformation").index(i).key("expression"),
                    label + ".transformation[" + i + "].expression");
        }
    }

    private void expression(String expression, Where where, String label) {
        if (expression.isEmpty()) {
            findings.error(where, label + " is required");
            return;
        }
        if (expression.contains("{{")) {
            return;
        }
        try {
            Set<String> unknown =
                    new TreeSet<>(
                            ExprProgram.compile(expression, ExprOptions.workflows()).variables());
            unknown.remove("data");
            if (!unknown.isEmpty()) {
                findings.error(
                        where,
                        label + " refers to " + String.join(", ", unknown),
                        "there is data; parameters are written as {{inputs.parameters.name}}");
            }
        } catch (ExprSyntaxException e) {
            findings.error(where, label + " cannot be compiled: " + e.getMessage());
        }
    }
}
