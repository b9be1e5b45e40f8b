package dev.millrace.sensors.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.sensor.DependencyFilters;
import dev.millrace.schemas.yaml.YamlReader;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DependencyFilterTest {

    private static final String DATA =
            """
            {"body":{"n":5,"s":"hello","t":true,"nul":null,"arr":["x"],"text":"abc"}}""";

    @Test
    void withoutFiltersEveryEventPasses() {
        assertThat(DependencyFilter.of(null, null).judge(event(DATA)))
                .isEqualTo(new Verdict.Passed());
        assertThat(judge("{}", null)).isEqualTo(new Verdict.Passed());
    }

    @Test
    void anEventWithoutDataPassesFiltersOnData() {
        String filter = "data: [{path: a, type: string, value: [x]}]";
        assertThat(of(filter, null).judge(event(""))).isEqualTo(new Verdict.Passed());
    }

    @Test
    void aMissingPathIsAnErrorAndAnotherValueIsNot() {
        assertThat(judge("data: [{path: body.zz, type: string, value: [x]}]", null))
                .isEqualTo(new Verdict.Failed("data filter error (path 'body.zz' does not exist)"));
        assertThat(judge("data: [{path: body.s, type: string, value: [x]}]", null))
                .isInstanceOf(Verdict.Rejected.class);
    }

    @Test
    void valuesAreReadOnlyUntilOneFits() {
        assertThat(judge("data: [{path: body.n, type: number, value: ['5', 'abc']}]", null))
                .isEqualTo(new Verdict.Passed());
        assertThat(judge("data: [{path: body.n, type: number, value: ['abc', '5']}]", null))
                .isInstanceOf(Verdict.Failed.class);
    }

    @Test
    void anOrBetweenKindsPassesWithOneErrorAndFailsWhenNothingIsTrue() {
        String error = "data: [{path: body.zz, type: string, value: [x]}]\n";
        String isTrue = "context: {type: webhook}";
        String isFalse = "context: {type: other}";
        assertThat(judge(error + isTrue, "or")).isEqualTo(new Verdict.Passed());
        assertThat(judge(error + isFalse, "or")).isInstanceOf(Verdict.Failed.class);
        assertThat(judge(error + isTrue, "and")).isInstanceOf(Verdict.Failed.class);
        assertThat(judge(error + isTrue, null)).isInstanceOf(Verdict.Failed.class);
        assertThat(judge(isFalse, "or")).isInstanceOf(Verdict.Rejected.class);
    }

    @Test
    void everyCombinationOfErrorTrueAndFalseIsAsTheTableSays() {
        String yes = "{path: body.s, type: string, value: [hello]}";
        String no = "{path: body.s, type: string, value: [zz]}";
        String bad = "{path: body.zz, type: string, value: [x]}";
        String[] all = {yes, no, bad};
        for (String first : all) {
            for (String second : all) {
                String filters = "data: [" + first + "," + second + "]\n";
                Verdict and = judge(filters, null);
                Verdict or = judge(filters + "dataLogicalOperator: or", null);
                Verdict firstAlone = judge("data: [" + first + "]", null);
                Verdict secondAlone = judge("data: [" + second + "]", null);
                boolean firstPasses = firstAlone instanceof Verdict.Passed;
                assertThat(and).isEqualTo(firstPasses ? secondAlone : firstAlone);
                boolean anyPasses = firstPasses || secondAlone instanceof Verdict.Passed;
                boolean anyBad = first.equals(bad) || second.equals(bad);
                assertThat(or.getClass())
                        .isEqualTo(
                                anyPasses
                                        ? Verdict.Passed.class
                                        : anyBad ? Verdict.Failed.class : Verdict.Rejected.class);
            }
        }
    }

    @Test
    void anExpressionMustGiveTrue() {
        String fields = ", fields: [{name: num, path: body.n}, {name: s, path: body.s}]}]";
        assertThat(judge("exprs: [{expr: 'num == 5 && s =~ \"^h\"'" + fields, null))
                .isEqualTo(new Verdict.Passed());
        assertThat(judge("exprs: [{expr: 'num + 1'" + fields, null))
                .isInstanceOf(Verdict.Rejected.class);
        assertThat(judge("exprs: [{expr: 's > 1'" + fields, null))
                .isInstanceOf(Verdict.Failed.class);
        assertThat(judge("exprs: [{expr: 'num ='" + fields, null))
                .isInstanceOf(Verdict.Failed.class);
    }

    @Test
    void aWindowOfTimeHasItsStartButNotItsStop() {
        assertThat(judge("time: {start: '12:00:00', stop: '13:00:00'}", null))
                .isEqualTo(new Verdict.Passed());
        assertThat(judge("time: {start: '11:00:00', stop: '12:00:00'}", null))
                .isInstanceOf(Verdict.Rejected.class);
        assertThat(judge("time: {start: '23:00:00', stop: '12:00:01'}", null))
                .isEqualTo(new Verdict.Passed());
        assertThat(judge("time: {start: '21:00:00', stop: '21:00:01', timezone: Asia/Tokyo}", null))
                .isEqualTo(new Verdict.Passed());
    }

    private static Verdict judge(String filters, String operator) {
        return of(filters, operator).judge(event(DATA));
    }

    private static DependencyFilter of(String filters, String operator) {
        return DependencyFilter.of(
                Json.convert(
                        YamlReader.read("test", filters).documents().getFirst().tree(),
                        DependencyFilters.class),
                operator);
    }

    private static EventRef event(String data) {
        return new EventRef(
                "1",
                "ns",
                "source",
                "event",
                "webhook",
                "1.0",
                "application/json",
                Instant.parse("2026-01-05T12:00:00Z"),
                data);
    }
}
