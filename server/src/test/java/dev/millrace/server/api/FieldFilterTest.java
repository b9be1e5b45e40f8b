package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class FieldFilterTest {

    private static final JsonNode LIST =
            Json.mapper()
                    .readTree(
                            """
                            {"metadata":{"continue":"2"},"items":[
                              {"metadata":{"name":"a","uid":"1"},"status":{"phase":"Running","nodes":{"n":{}}}},
                              {"metadata":{"name":"b"},"status":{"phase":"Failed"}}]}""");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "items.metadata.name | {\"items\":[{\"metadata\":{\"name\":\"a\"}},{\"metadata\":{\"name\":\"b\"}}]}",
                "metadata,items.status.phase | {\"items\":[{\"status\":{\"phase\":\"Running\"}},{\"status\":{\"phase\":\"Failed\"}}],\"metadata\":{\"continue\":\"2\"}}",
                "items.status,items.status.phase | {\"items\":[{\"status\":{\"phase\":\"Running\",\"nodes\":{\"n\":{}}}},{\"status\":{\"phase\":\"Failed\"}}]}",
                "-items.status.nodes,items.metadata.uid | {\"metadata\":{\"continue\":\"2\"},\"items\":[{\"metadata\":{\"name\":\"a\"},\"status\":{\"phase\":\"Running\"}},{\"metadata\":{\"name\":\"b\"},\"status\":{\"phase\":\"Failed\"}}]}",
                "items.status.nodes.n.x | {\"items\":[{\"status\":{\"nodes\":{\"n\":{}}}},{\"status\":{}}]}",
                "items.nothing | {\"items\":[{},{}]}",
                "metadata.continue.more | {\"metadata\":{\"continue\":\"2\"}}",
                "-items.status.nodes.n,items.metadata,items.status.phase | {\"metadata\":{\"continue\":\"2\"},\"items\":[{\"status\":{\"nodes\":{}}},{\"status\":{}}]}",
                "-items | {\"metadata\":{\"continue\":\"2\"}}"
            })
    void keepsOrLeavesOutThePaths(String fields, String expected) {
        assertThat(FieldFilter.parse(fields).apply(LIST))
                .isEqualTo(Json.mapper().readTree(expected));
    }

    @ParameterizedTest
    @CsvSource({"''", "' , '", "-"})
    void keepsEverythingIfThereIsNoPath(String fields) {
        assertThat(FieldFilter.parse(fields).apply(LIST)).isEqualTo(LIST);
    }

    @Test
    void knowsWhatOfAPathIsKept() {
        assertThat(FieldFilter.parse("").keeps("status", "nodes")).isTrue();
        assertThat(FieldFilter.parse("status").keeps("status", "nodes")).isTrue();
        assertThat(FieldFilter.parse("status.nodes.a").keeps("status", "nodes")).isTrue();
        assertThat(FieldFilter.parse("status.phase").keeps("status", "nodes")).isFalse();
        assertThat(FieldFilter.parse("-status.nodes").keeps("status", "nodes")).isFalse();
        assertThat(FieldFilter.parse("-status").keeps("status", "nodes")).isFalse();
        assertThat(FieldFilter.parse("-status.nodes.a").keeps("status", "nodes")).isTrue();
        assertThat(FieldFilter.parse("-spec").keeps("status", "nodes")).isTrue();
    }
}
