package dev.millrace.schemas.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * One serialised record of each type and release lies in {@code golden/<release>}. Records only
 * gain optional members: what an older release wrote can always be read, and what this one writes
 * is what its files say.
 */
final class GoldenRecordsTest {
    private static final String RELEASE = "0.1";
    private static final Path GOLDEN = Path.of("src/test/resources/golden");
    private static final Path REFERENCE = Path.of("../docs/reference/records.md");
    private static final String WRITE = "millrace.golden.write";
    private static final String CURE =
            "If the change is meant and only adds optional members, write the files anew: mvn -pl schemas test"
                    + " -Dtest=GoldenRecordsTest -D"
                    + WRITE
                    + "=true";

    /** Topic and type of its values. */
    private static final Map<String, Class<?>> TOPICS = new LinkedHashMap<>();

    static {
        TOPICS.put("millrace.status", StatusRecord.class);
        TOPICS.put("millrace.source-state", SourceState.class);
        TOPICS.put("millrace.sensor-matches", SensorMatch.class);
        TOPICS.put("millrace.activations, millrace.joined-activations", Activation.class);
        TOPICS.put("millrace.trigger-retries", TriggerRetry.class);
        TOPICS.put("millrace.decisions", Decision.class);
        TOPICS.put("millrace.workflow-commands", WorkflowCommand.class);
        TOPICS.put("millrace.lock-requests", LockRequest.class);
        TOPICS.put("millrace.steps", StepCommand.class);
        TOPICS.put("millrace.step-results", StepReport.class);
        TOPICS.put("millrace.cache-requests", CacheRequest.class);
        TOPICS.put("millrace.workflow-events", WorkflowTransition.class);
        TOPICS.put("millrace.cron-inputs", CronInput.class);
        TOPICS.put("millrace.cron-orders", CronOrder.class);
        TOPICS.put("millrace.workflow-metrics", MetricSeries.class);
        TOPICS.put("millrace.dead-letters", DeadLetter.class);
    }

    @Test
    void thisReleaseWritesWhatItsFilesSay() throws IOException {
        for (Class<?> type : TOPICS.values()) {
            Path file = GOLDEN.resolve(RELEASE).resolve(type.getSimpleName() + ".json");
            JsonNode written = written(type);
            if (Boolean.getBoolean(WRITE)) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, pretty(written) + "\n");
            }
            assertThat(written)
                    .as(type.getSimpleName() + ". " + CURE)
                    .isEqualTo(Json.mapper().readTree(Files.readString(file)));
        }
    }

    @Test
    void whatAnyReleaseWroteCanBeRead() throws IOException {
        try (Stream<Path> releases = Files.list(GOLDEN)) {
            for (Path release : releases.sorted().toList()) {
                for (Class<?> type : TOPICS.values()) {
                    Path file = release.resolve(type.getSimpleName() + ".json");
                    if (Files.exists(file)) {
                        List<Object> read = new ArrayList<>();
                        Json.mapper()
                                .readTree(Files.readString(file))
                                .forEach(tree -> read.add(Json.convert(tree, type)));
                        assertThat(read).as(file.toString()).hasSize(SampleRecords.of(type).size());
                        if (release.endsWith(RELEASE)) {
                            assertThat(read).as(file.toString()).isEqualTo(SampleRecords.of(type));
                        }
                    }
                }
            }
        }
    }

    @Test
    void theReferencePageShowsEachRecord() throws IOException {
        StringBuilder page = new StringBuilder();
        page.append(
                "# Records\n\nThe values of the topics, as JSON, every member filled with a sample. Members that may be absent are"
                        + " left out when they are. A record with several cases says its case in `kind`. `millrace.manifests` has the manifests"
                        + " themselves, `millrace.events` CloudEvents in Kafka's binary mode. This page is written by `GoldenRecordsTest`.\n");
        for (Map.Entry<String, Class<?>> topic : TOPICS.entrySet()) {
            page.append("\n## ")
                    .append(topic.getKey())
                    .append("\n\n`")
                    .append(topic.getValue().getSimpleName())
                    .append("`\n");
            for (JsonNode sample : written(topic.getValue())) {
                page.append("\n```json\n").append(pretty(sample)).append("\n```\n");
            }
        }
        if (Boolean.getBoolean(WRITE)) {
            Files.createDirectories(REFERENCE.getParent());
            Files.writeString(REFERENCE, page);
        }
        assertThat(Files.readString(REFERENCE))
                .as("docs/reference/records.md. " + CURE)
                .isEqualTo(page.toString());
    }

    private static JsonNode written(Class<?> type) {
        var list = Json.mapper().createArrayNode();
        for (Object sample : SampleRecords.of(type)) {
            list.add(
                    Json.mapper()
                            .readTree(Json.mapper().writerFor(type).writeValueAsString(sample)));
        }
        return list;
    }

    private static String pretty(JsonNode tree) {
        return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(tree);
    }
}
