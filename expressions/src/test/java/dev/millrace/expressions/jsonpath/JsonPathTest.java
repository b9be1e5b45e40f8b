package dev.millrace.expressions.jsonpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.expressions.gojson.GoJson;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPathTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            textBlock =
                    """
            $.key                     ~ {"key":"value"}                              ~ "value"
            $['a.b']                  ~ {"a.b":1}                                    ~ 1
            $["key"]                  ~ {"key":null}                                 ~ null
            $.key-dash                ~ {"key-dash":"value"}                         ~ "value"
            $[2]                      ~ ["a","b","c"]                                ~ "c"
            $[-1]                     ~ ["a","b","c"]                                ~ "c"
            $.*                       ~ {"b":1,"a":[2]}                              ~ [[2],1]
            $[*]                      ~ []                                           ~ []
            $.*.*                     ~ [[1,2],[3]]                                  ~ [[1,2],[3]]
            $[*].bar[*]               ~ [{"bar":[42]}]                               ~ [[42]]
            $[*].a                    ~ [{"a":1},{"b":1}]                            ~ [1]
            $[1:3]                    ~ [0,1,2,3]                                    ~ [1,2]
            $[-2:]                    ~ [0,1,2,3]                                    ~ [2,3]
            $[:2]                     ~ [0,1,2,3]                                    ~ [0,1]
            $[7:10]                   ~ [0,1,2,3]                                    ~ []
            $[0:3:2]                  ~ [0,1,2,3]                                    ~ [0,2]
            $[0:3:-2]                 ~ [0,1,2,3]                                    ~ [2,0]
            $[1:(@.length-1)]         ~ [0,1,2,3]                                    ~ [1,2]
            $[(@.length-1)]           ~ [0,1,2,3]                                    ~ 3
            $[0,2].key                ~ [{"key":1},{"key":2},{"key":3}]              ~ [1,3]
            $['one','three']          ~ {"one":1,"two":2,"three":3}                  ~ [1,3]
            $..key                    ~ {"key":1,"a":[{"key":2}]}                    ~ [1,2]
            $..*                      ~ 42                                           ~ []
            $..[1]                    ~ [[0,1],2]                                    ~ [2,1]
            $.length                  ~ [4,5,6]                                      ~ 3
            $.length                  ~ {"length":"value"}                           ~ "value"
            $[?(@.id==42)].name       ~ [{"id":42,"name":"x"},{"id":1,"name":"y"}]   ~ ["x"]
            $[?(@.key>42 && @.key<44)] ~ [{"key":42},{"key":43},{"key":44}]          ~ [{"key":43}]
            $[?(@.key>43 || @.key<43)] ~ [{"key":42},{"key":43},{"key":44}]          ~ [{"key":42},{"key":44}]
            $[?(@.key>0 || true)]     ~ [{"key":1},{"key":"nice"},{"other":1}]       ~ [{"key":1}]
            $[?(@)]                   ~ ["x",null,0,1,"",[],{},false,true]           ~ ["x",1,true]
            $[?(@.key!=42)]           ~ [{"key":42},{"key":"x"},{"some":1}]          ~ [{"key":"x"}]
            $[?(@.key+50==100)]       ~ [{"key":60},{"key":50}]                      ~ [{"key":50}]
            $[?((@.key<44)==false)]   ~ [{"key":42},{"key":44}]                      ~ [{"key":44}]
            $[?(@.d==["v1","v2"])]    ~ [{"d":["v1","v2"]},{"d":["a"]}]              ~ [{"d":["v1","v2"]}]
            $.items[?(@.key==$.value)] ~ {"value":42,"items":[{"key":1},{"key":42}]} ~ [{"key":42}]
            $[?(@.a[?(@.price>10)])]  ~ [{"a":[{"price":1}]},{"a":[{"price":11}]}]   ~ [{"a":[{"price":11}]}]
            $[?(@['key']==42)]        ~ {"x":{"key":42},"y":{"key":1}}               ~ [{"key":42}]
            $.name[0:2]               ~ {"name":"string"}                            ~ "st"
            """)
    void readsWhatThePathNames(String path, String document, String expected) {
        assertThat(GoJson.encode(JsonPath.compile(path).read(GoJson.decode(document))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            textBlock =
                    """
            $.missing ~ {"key":1}
            $.key     ~ [0,1]
            $[1]      ~ ["one"]
            $[0]      ~ {"0":"value"}
            $[1:3]    ~ {"a":1}
            $[0:3:0]  ~ [1,2,3]
            """)
    void aPathToOneValueThatLeadsNowhereIsAnError(String path, String document) {
        assertThatThrownBy(() -> JsonPath.compile(path).read(GoJson.decode(document)))
                .isInstanceOf(JsonPathException.class);
    }

    @Test
    void aMalformedPathSaysWhereItIsWrong() {
        for (String path :
                List.of(
                        "",
                        "key",
                        ".key",
                        "$a",
                        "$[]",
                        "$[key]",
                        "$.",
                        "$['x",
                        "$[?()]",
                        "$[?@.key==42]")) {
            assertThatThrownBy(() -> JsonPath.compile(path))
                    .as(path)
                    .isInstanceOf(JsonPathException.class)
                    .hasMessageContaining("invalid JSONPath selector");
        }
        assertThatThrownBy(() -> JsonPath.compile("$[?(@.a == b)]"))
                .hasMessageContaining("'b' is no value; text needs quotes");
    }
}
