package dev.millrace.triggers.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.sensor.TriggerParameter;
import dev.millrace.schemas.yaml.YamlReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ParametersTest {

    private static final String DATA =
            """
            {"s":"text","num":5,"fl":3.140,"e":1000.0,"big":12345678901234567890,"t":true,"nul":null,\
            "obj":{"k":"v"},"arr":[1,2]}""";

    private final Parameters parameters =
            new Parameters(
                    new ParameterSources(
                            Map.of(
                                    "d", event("application/json", DATA),
                                    "yaml", event("application/yaml", "a: {b: 7}\n"),
                                    "plain", event("text/plain", "hello"),
                                    "broken", event("application/json", "{"))));

    @Test
    void everyValueIsPlacedAsTextUnlessRawIsAskedFor() {
        assertThat(placed("s", false)).isEqualTo("\"text\"");
        assertThat(placed("s", true)).isEqualTo("\"text\"");
        assertThat(placed("num", false)).isEqualTo("\"5\"");
        assertThat(placed("num", true)).isEqualTo("5");
        assertThat(placed("fl", false)).isEqualTo("\"3.14\"");
        assertThat(placed("e", true)).isEqualTo("1000");
        assertThat(placed("big", true)).isEqualTo("12345678901234567890");
        assertThat(placed("t", true)).isEqualTo("true");
        assertThat(placed("nul", false)).isEqualTo("\"null\"");
        assertThat(placed("nul", true)).isEqualTo("null");
        assertThat(placed("obj", false)).isEqualTo("\"{\\\"k\\\":\\\"v\\\"}\"");
        assertThat(placed("obj", true)).isEqualTo("{\"k\":\"v\"}");
        assertThat(placed("arr", true)).isEqualTo("[1,2]");
    }

    @Test
    void whatIsMissingGivesTheDefaultAlwaysAsTextOrFails() {
        assertThat(
                        payload(
                                "{src: {dependencyName: d, dataKey: zz, value: '5', useRawData: true}, dest: v}"))
                .isEqualTo(done("{\"v\":\"5\"}"));
        assertThat(payload("{src: {dependencyName: d, dataKey: zz}, dest: v}"))
                .isInstanceOf(Parameters.Applied.Failed.class);
    }

    @Test
    void anAbsentEventGivesTheDefaultOrIsSkipped() {
        assertThat(payload("{src: {dependencyName: no, dataKey: s, value: x}, dest: v}"))
                .isEqualTo(done("{\"v\":\"x\"}"));
        assertThat(payload("{src: {dependencyName: no, dataKey: s}, dest: v}")).isEqualTo(done(""));
        assertThat(
                        apply(
                                "{\"v\":1}",
                                "{src: {dependencyName: no, dataKey: s}, dest: v, operation: append}"))
                .isEqualTo(done("{\"v\":1}"));
    }

    @Test
    void withoutAKeyThereIsTheDefaultOrTheWholeEvent() {
        assertThat(payload("{src: {dependencyName: d, value: x}, dest: v}"))
                .isEqualTo(done("{\"v\":\"x\"}"));
        assertThat(payload("{src: {dependencyName: plain}, dest: ''}"))
                .isEqualTo(
                        done(
                                "{\"context\":{\"id\":\"1\",\"source\":\"src\",\"specversion\":\"1.0\","
                                        + "\"type\":\"webhook\",\"datacontenttype\":\"text/plain\","
                                        + "\"subject\":\"ev\",\"time\":\"2026-01-05T12:00:00Z\"},"
                                        + "\"data\":\"aGVsbG8=\"}"));
    }

    @Test
    void theDataWinsOverTheContext() {
        assertThat(payload("{src: {dependencyName: d, contextKey: subject}, dest: v}"))
                .isEqualTo(done("{\"v\":\"ev\"}"));
        assertThat(payload("{src: {dependencyName: d, contextKey: subject, dataKey: s}, dest: v}"))
                .isEqualTo(done("{\"v\":\"text\"}"));
        assertThat(payload("{src: {dependencyName: d, contextKey: subject, dataKey: zz}, dest: v}"))
                .isInstanceOf(Parameters.Applied.Failed.class);
    }

    @Test
    void dataMayBeYamlAndNothingElse() {
        assertThat(
                        payload(
                                "{src: {dependencyName: yaml, dataKey: a.b, useRawData: true}, dest: v}"))
                .isEqualTo(done("{\"v\":7}"));
        assertThat(payload("{src: {dependencyName: plain, dataKey: a}, dest: v}"))
                .isInstanceOf(Parameters.Applied.Failed.class);
        assertThat(payload("{src: {dependencyName: broken, dataKey: a, value: x}, dest: v}"))
                .isEqualTo(done("{\"v\":\"x\"}"));
    }

    @Test
    void operationsJoinTextsInTheOrderOfTheList() {
        String append = "{src: {dependencyName: d, dataKey: num}, dest: v, operation: append}";
        String prepend = "{src: {dependencyName: d, dataKey: s}, dest: v, operation: prepend}";
        assertThat(apply("{\"v\":1}", append + "," + prepend))
                .isEqualTo(done("{\"v\":\"text15\"}"));
        assertThat(apply("{}", append)).isEqualTo(done("{\"v\":\"5\"}"));
        assertThat(apply("{\"v\":1}", append.replace("append", "overwrite")))
                .isEqualTo(done("{\"v\":\"5\"}"));
        assertThat(apply("{\"v\":1}", append.replace("append", "zz")))
                .isInstanceOf(Parameters.Applied.Unsupported.class);
    }

    @Test
    void inAPayloadEveryItemOverwrites() {
        String item = "{src: {dependencyName: d, dataKey: s}, dest: v, operation: append}";
        assertThat(payload(item + "," + item)).isEqualTo(done("{\"v\":\"text\"}"));
    }

    @Test
    void anItemWithoutDestIsTheWholePayload() {
        String dest = "{src: {dependencyName: d, dataKey: s}, dest: v}";
        String whole = "{src: {dependencyName: d, dataKey: obj}, dest: ''}";
        assertThat(payload(dest + "," + whole + "," + dest)).isEqualTo(done("{\"k\":\"v\"}"));
    }

    @Test
    void aTemplateIsToldToBeUnsupported() {
        assertThat(payload("{src: {dependencyName: d, dataTemplate: x}, dest: v}"))
                .isInstanceOf(Parameters.Applied.Unsupported.class);
    }

    private String placed(String key, boolean raw) {
        Parameters.Applied applied =
                payload(
                        "{src: {dependencyName: d, dataKey: %s, useRawData: %s}, dest: v}"
                                .formatted(key, raw));
        String text = ((Parameters.Applied.Done) applied).text();
        return text.substring("{\"v\":".length(), text.length() - 1);
    }

    private Parameters.Applied payload(String items) {
        return parameters.payload(list(items));
    }

    private Parameters.Applied apply(String json, String items) {
        return parameters.apply(json, list(items));
    }

    private static List<TriggerParameter> list(String items) {
        List<TriggerParameter> list = new ArrayList<>();
        for (JsonNode item :
                YamlReader.read("test", "[" + items + "]").documents().getFirst().tree()) {
            list.add(Json.convert(item, TriggerParameter.class));
        }
        return list;
    }

    private static Parameters.Applied done(String text) {
        return new Parameters.Applied.Done(text);
    }

    private static EventRef event(String type, String data) {
        return new EventRef(
                "1",
                "ns",
                "src",
                "ev",
                "webhook",
                "1.0",
                type,
                Instant.parse("2026-01-05T12:00:00.987Z"),
                data);
    }
}
