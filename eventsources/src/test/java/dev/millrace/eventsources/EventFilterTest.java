package dev.millrace.eventsources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.eventsources.EventFilter.Dropped;
import dev.millrace.eventsources.EventFilter.Passed;
import dev.millrace.eventsources.EventFilter.Verdict;
import dev.millrace.schemas.eventsource.EventSourceFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventFilterTest {

    private static final String DATA =
            """
            {"body":{"id":4,"name":"Bob","x-y":"h","arr":["a","b"]},"a.b":1,"c-d":2,"header":{"X-Event":["push"]}}""";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(body.id == 4) && (body.name != 'Joe')",
                "body.name matches '^B'",
                "'a' in body.arr",
                "body['x-y'] == 'h'",
                "a.b == 1",
                "c_d == 2",
                "header['X-Event'][0] == 'push'",
                "any(body.arr, {# == 'a'})",
                "body?.missing?.foo == nil",
                "missing == nil",
                "len(body.arr) == 2",
                "body.id == 4.0 ? true : false",
                "sprig.upper(body.name) == 'BOB'",
                "asInt(body.id) == 4"
            })
    void whatIsTruePasses(String expression) {
        assertThat(judge(expression, DATA)).isEqualTo(new Passed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "body.missing == 1",
                "missing == 1",
                "body.missing.foo == 1",
                "missing.foo == 1",
                "body.id",
                "body.x-y == 'h'",
                "body.id > '3'",
                "not (body.id == 4)"
            })
    void whatIsFalseOrAnErrorIsDropped(String expression) {
        assertThat(judge(expression, DATA)).isInstanceOf(Dropped.class);
    }

    @Test
    void theReasonTellsWhatIsWrong() {
        assertThat(reason("body.id", DATA)).isEqualTo("filter.expression is 4, no boolean");
        assertThat(reason("body.id > '3'", DATA))
                .isEqualTo("filter.expression failed: invalid operation: float64 > string (1:9)");
        assertThat(reason("true", "[1]")).contains("no JSON object");
    }

    @Test
    void anExpressionThatIsNoneDropsEverythingAndSaysSoOnce() {
        EventFilter filter = EventFilter.of(new EventSourceFilter("body.id =="));
        assertThat(filter.warning()).contains("every event is dropped");
        assertThat(filter.judge(DATA)).isInstanceOf(Dropped.class);
    }

    @Test
    void noFilterLetsAnythingPass() {
        assertThat(EventFilter.of(null).judge("[1]")).isEqualTo(new Passed());
        assertThat(EventFilter.of(new EventSourceFilter("")).judge("1")).isEqualTo(new Passed());
    }

    private static Verdict judge(String expression, String data) {
        return EventFilter.of(new EventSourceFilter(expression)).judge(data);
    }

    private static String reason(String expression, String data) {
        return ((Dropped) judge(expression, data)).reason();
    }
}
