package dev.millrace.workflowengine.validation;

import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.expr.ExprSyntaxException;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Checks templates that call by HTTP. Texts with tags are known only when they run. */
final class HttpCheck {
    private static final Set<String> KNOWN = Set.of("request", "response");

    private final Findings findings;

    HttpCheck(Findings findings) {
        this.findings = findings;
    }

    void check(PlacedTemplate template) {
        JsonNode http = template.body().path("http");
        Where where = template.where().key("http");
        String label = template.label() + ".http";
        String url = http.path("url").asString("");
        if (url.isEmpty()) {
            findings.error(where, label + ".url is required");
        } else if (!url.contains("{{") && !url.strip().matches("(?i)https?://[^/].*")) {
            findings.error(
                    where.key("url"),
                    label + ".url '" + url + "' must begin with http:// or https:// and a host");
        }
        headers(http.path("headers"), where.key("headers"), label + ".headers");
        bytes(
                http.path("bodyFrom").path("bytes").asString(""),
                where.key("bodyFrom").key("bytes"),
                label + ".bodyFrom.bytes");
        condition(
                http.path("successCondition").asString(""),
                where.key("successCondition"),
                label + ".successCondition");
        JsonNode timeout = http.path("timeoutSeconds");
        if (timeout.isNumber() && timeout.asLong() <= 0) {
            findings.error(
                    where.key("timeoutSeconds"), label + ".timeoutSeconds must be greater than 0");
        }
    }

    private void headers(JsonNode headers, Where where, String label) {
        for (int i = 0; i < headers.size(); i++) {
            JsonNode header = headers.get(i);
            Where at = where.index(i);
            if (header.path("name").asString("").isEmpty()) {
                findings.error(at, label + "[" + i + "].name is required");
            }
            JsonNode from = header.path("valueFrom");
            JsonNode ref = from.path("secretKeyRef");
            if (from.isObject()
                    && (ref.path("name").asString("").isEmpty()
                            || ref.path("key").asString("").isEmpty())) {
                findings.error(
                        at.key("valueFrom"),
                        label
                                + "["
                                + i
                                + "].valueFrom.secretKeyRef must have the name of a Secret and a key");
            }
        }
    }

    private void bytes(String bytes, Where where, String label) {
        if (bytes.contains("{{")) {
            return;
        }
        try {
            Base64.getMimeDecoder().decode(bytes);
        } catch (IllegalArgumentException e) {
            findings.error(where, label + " must be base64");
        }
    }

    private void condition(String condition, Where where, String label) {
        if (condition.isEmpty() || condition.contains("{{")) {
            return;
        }
        try {
            Set<String> unknown =
                    new TreeSet<>(
                            ExprProgram.compile(condition, ExprOptions.workflows().asBoolean())
                                    .variables());
            unknown.removeAll(KNOWN);
            if (!unknown.isEmpty()) {
                findings.error(
                        where,
                        label + " refers to " + String.join(", ", unknown),
                        "there are request and response; parameters are written as {{inputs.parameters.name}}");
            }
        } catch (ExprSyntaxException e) {
            findings.error(where, label + " cannot be compiled: " + e.getMessage());
        }
    }
}
