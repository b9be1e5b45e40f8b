package dev.millrace.executors.http;

import dev.millrace.executors.StepRefusedException;
import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.expr.ExprEvaluationException;
import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.expr.ExprSyntaxException;
import dev.millrace.schemas.workflow.HttpTemplate;
import java.net.http.HttpHeaders;
import java.util.AbstractList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;

/** Whether an answer is the wanted one. */
final class SuccessCondition {
    private SuccessCondition() {}

    /**
     * Judges an answer.
     *
     * @param text the body of the answer
     * @return why it is no success; empty if it is one
     */
    static Optional<String> problem(
            HttpTemplate http, HttpCall.Answer.Response response, String text) {
        String condition = http.successCondition();
        if (condition == null || condition.isEmpty()) {
            return response.status() / 100 == 2
                    ? Optional.empty()
                    : Optional.of("received non-2xx response code: " + response.status());
        }
        try {
            Object value =
                    ExprProgram.compile(condition, ExprOptions.workflows().asBoolean())
                            .evaluate(
                                    Environment.of(
                                            Map.of(
                                                    "request",
                                                    request(http),
                                                    "response",
                                                    response(response, text))));
            return Boolean.TRUE.equals(value)
                    ? Optional.empty()
                    : Optional.of("successCondition '%s' evaluated false".formatted(condition));
        } catch (ExprSyntaxException | ExprEvaluationException | StepRefusedException e) {
            return Optional.of(
                    "successCondition '%s' cannot be evaluated: %s"
                            .formatted(condition, e.getMessage()));
        }
    }

    /** As the template has it: values of secrets are not part of it. */
    private static Map<String, Object> request(HttpTemplate http) throws StepRefusedException {
        Map<String, Object> headers = new LinkedHashMap<>();
        for (HttpTemplate.Header header : http.headers()) {
            headers.put(
                    String.valueOf(header.name()),
                    List.of(header.value() == null ? "" : header.value()));
        }
        return Map.of(
                "method",
                RequestReader.method(http),
                "url",
                http.url() == null ? "" : http.url(),
                "body",
                http.body() == null ? "" : http.body(),
                "bodyBytes",
                new Bytes(RequestReader.body(http)),
                "headers",
                headers);
    }

    private static Map<String, Object> response(HttpCall.Answer.Response response, String text) {
        return Map.of(
                "statusCode",
                (long) response.status(),
                "body",
                text,
                "headers",
                canonical(response.headers()));
    }

    /** Under names as Go has them, whatever the server wrote: {@code Content-Type}. */
    private static Map<String, Object> canonical(HttpHeaders headers) {
        Map<String, Object> all = new LinkedHashMap<>();
        headers.map()
                .forEach(
                        (name, values) -> {
                            // HTTP/2 has fields of its own, such as :status.
                            if (!name.startsWith(":")) {
                                all.put(canonical(name), values);
                            }
                        });
        return all;
    }

    static String canonical(String name) {
        StringBuilder all = new StringBuilder(name.toLowerCase(Locale.ROOT));
        for (int i = 0; i < all.length(); i++) {
            if (i == 0 || all.charAt(i - 1) == '-') {
                all.setCharAt(i, Character.toUpperCase(all.charAt(i)));
            }
        }
        return all.toString();
    }

    /** Bytes as the numbers that expressions see, without a copy. */
    private static final class Bytes extends AbstractList<Long> implements RandomAccess {
        private final byte[] bytes;

        Bytes(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public Long get(int index) {
            return (long) (bytes[index] & 0xff);
        }

        @Override
        public int size() {
            return bytes.length;
        }
    }
}
