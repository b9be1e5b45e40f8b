package dev.millrace.workflowengine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.CacheRequest;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.workflow.Scalar;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

final class CacheConfigMapTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    private static CacheRequest.Save save(String key, String value, Instant at) {
        Outputs outputs =
                new Outputs(
                        List.of(
                                new Parameter(
                                        "out", new Scalar(value), null, null, null, null, null)),
                        List.of(),
                        null,
                        null);
        return new CacheRequest.Save(
                new WorkflowRef("ns", "wf", "uid"), "wf-1", "cache", key, outputs, at);
    }

    private static String value(JsonNode configMap, String key) {
        CacheConfigMap.Entry entry =
                Objects.requireNonNull(CacheConfigMap.entry(configMap, key), key);
        return String.valueOf(
                Objects.requireNonNull(entry.outputs()).parameters().getFirst().value());
    }

    @Test
    void whatIsSavedIsFoundInAConfigMapThatSaysWhatItIs() {
        assertThat(CacheConfigMap.entry(null, "k")).isNull();
        JsonNode made = CacheConfigMap.with(null, save("k", "one", AT));
        assertThat(made.path("metadata").path("name").asString("")).isEqualTo("cache");
        assertThat(made.path("metadata").path("namespace").asString("")).isEqualTo("ns");
        assertThat(made.path("metadata").path("labels").toString()).contains("\"Cache\"");
        assertThat(value(made, "k")).isEqualTo("one");
        assertThat(CacheConfigMap.entry(made, "other")).isNull();
    }

    @Test
    void aRepeatAndAnOlderEntryChangeNothing() {
        JsonNode made = CacheConfigMap.with(null, save("k", "one", AT));
        assertThat(CacheConfigMap.with(made, save("k", "one", AT))).isSameAs(made);
        assertThat(CacheConfigMap.with(made, save("k", "old", AT.minusSeconds(1)))).isSameAs(made);
        assertThat(value(CacheConfigMap.with(made, save("k", "new", AT.plusSeconds(1))), "k"))
                .isEqualTo("new");
    }

    @Test
    void theOldestEntriesGoWhenTheConfigMapIsFull() {
        JsonNode configMap = null;
        for (int i = 0; i < 8; i++) {
            configMap =
                    CacheConfigMap.with(
                            configMap, save("k" + i, "x".repeat(200_000), AT.plusSeconds(i)));
        }
        JsonNode data = Objects.requireNonNull(configMap).path("data");
        assertThat(data.propertyNames()).containsExactly("k3", "k4", "k5", "k6", "k7");
        assertThat(data.toString().length()).isLessThan(CacheConfigMap.MAX_BYTES + 1_000);
    }

    @Test
    void anEntryThatAPersonWroteIsReadAndAMalformedOneIsNamed() {
        ObjectNode configMap = Json.object();
        configMap.putObject("metadata").put("name", "cache");
        configMap
                .putObject("data")
                .put(
                        "good",
                        "{\"nodeID\":\"n\",\"outputs\":{\"parameters\":[{\"name\":\"hello\",\"value\":\"world\",\"valueFrom\":{\"path\":\"/tmp/x\"}}],\"exitCode\":\"0\"},\"creationTimestamp\":\"2021-10-12T15:14:04Z\"}")
                .put("bad", "no JSON");
        assertThat(value(configMap, "good")).isEqualTo("world");
        assertThatThrownBy(() -> CacheConfigMap.entry(configMap, "bad"))
                .isInstanceOf(CacheConfigMap.UnusableException.class)
                .hasMessageContaining("entry 'bad' of ConfigMap cache is malformed");
    }

    @Test
    void aConfigMapForSomethingElseIsRefused() {
        ObjectNode configMap = Json.object();
        configMap
                .putObject("metadata")
                .put("name", "settings")
                .putObject("labels")
                .put("workflows.argoproj.io/configmap-type", "Parameter");
        assertThatThrownBy(() -> CacheConfigMap.entry(configMap, "k"))
                .hasMessageContaining("ConfigMap settings is no cache");
    }
}
