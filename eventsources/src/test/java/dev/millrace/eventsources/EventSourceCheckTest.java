package dev.millrace.eventsources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.manifest.ManifestReader;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventSourceCheckTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "webhook: {a: {port: '1'}} | endpoint is missing",
                "webhook: {a: {port: 'x', endpoint: /a}} | port is 'x'",
                "webhook: {a: {port: '1', endpoint: '/{a'}} | opens a brace",
                "webhook: {a: {port: '1', endpoint: /a, serverCertSecret: {name: s, key: k}}} | come as a pair",
                "calendar: {a: {}} | write a schedule or an interval",
                "calendar: {a: {schedule: '@daily'}} | schedule '@daily' cannot be read",
                "calendar: {a: {schedule: '0 0 31 2 *'}} | has no time within five years",
                "calendar: {a: {interval: 10s, timezone: Mars/X}} | Mars/X",
                "redis: {a: {hostAddress: x}} | type redis is not supported yet",
                "calendar: {a: {interval: 10s}}, webhook: {a: {port: '1', endpoint: /a}} | another type has an event of this name"
            })
    void saysWhereAndWhat(String spec, String message) {
        assertThat(check("{" + spec + "}"))
                .singleElement()
                .satisfies(
                        problem -> {
                            assertThat(problem).contains(message);
                            assertThat(problem)
                                    .containsPattern("test:\\d+:\\d+: spec\\.[a-z]+\\.a: ");
                        });
    }

    @Test
    void whatCanStartHasNoProblems() {
        assertThat(
                        check(
                                "{webhook: {a: {port: '1', endpoint: /a}}, calendar: {b: {interval: 10s}}}"))
                .isEmpty();
    }

    private static List<String> check(String spec) {
        String text =
                "apiVersion: argoproj.io/v1alpha1\nkind: EventSource\nmetadata: {name: e}\nspec: "
                        + spec;
        return EventSourceCheck.check(
                        ManifestReader.read("test", text).documents().getFirst(),
                        Instant.parse("2026-01-01T00:00:00Z"))
                .stream()
                .map(Object::toString)
                .toList();
    }
}
