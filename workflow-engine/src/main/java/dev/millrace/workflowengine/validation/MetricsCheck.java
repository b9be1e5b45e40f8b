package dev.millrace.workflowengine.validation;

import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Checks the metrics of a template or workflow. */
final class MetricsCheck {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
    private static final List<String> TYPES = List.of("gauge", "counter", "histogram");

    private final Findings findings;

    MetricsCheck(Findings findings) {
        this.findings = findings;
    }

    /**
     * @param owner what messages call the template or workflow that has them
     */
    void check(JsonNode metrics, Where where, String owner) {
        JsonNode list = metrics.path("prometheus");
        for (int i = 0; i < list.size(); i++) {
            JsonNode metric = list.get(i);
            Where at = where.key("prometheus").index(i);
            String name = metric.path("name").asString("");
            String label = owner + " metric name '" + name + "'";
            if (!NAME.matcher(name).matches()) {
                findings.error(
                        at.key("name"),
                        label
                                + " is invalid. Metric names must contain alphanumeric characters or '_'");
            }
            if (metric.path("help").asString("").isEmpty()) {
                findings.error(at, label + " must contain a help string under 'help: ' field");
            }
            List<String> types = TYPES.stream().filter(metric::hasNonNull).toList();
            if (types.size() != 1) {
                findings.error(
                        at,
                        label
                                + " must be exactly one of gauge, counter, histogram; it is "
                                + (types.isEmpty() ? "none" : String.join(", ", types)));
            }
            JsonNode labels = metric.path("labels");
            for (int l = 0; l < labels.size(); l++) {
                String key = labels.get(l).path("key").asString("");
                if (!LABEL.matcher(key).matches()) {
                    findings.error(
                            at.key("labels").index(l),
                            label + " has an invalid label key '" + key + "'");
                }
            }
            JsonNode gauge = metric.path("gauge");
            if (gauge.path("realtime").asBoolean(false)
                    && gauge.path("value").asString("").contains("resourcesDuration.")) {
                findings.error(
                        at.key("gauge"),
                        label
                                + " 'resourcesDuration.*' metrics cannot be used in real-time gauges");
            }
        }
    }
}
