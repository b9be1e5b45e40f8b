package dev.millrace.sensors.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.manifest.ReadResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class SensorDefinitionTest {

    private static final String DEPENDENCY =
            "dependencies: [{name: a, eventSourceName: es, eventName: x}]\n";

    @Test
    void aProblemNamesItsPlaceAndItsCure() {
        List<Problem> problems =
                check(
                        """
                        dependencies:
                        - name: a
                          eventSourceName: es
                          eventName: x
                          filters:
                            data:
                            - {path: p, type: number, value: ['1'], comparator: '=='}
                        triggers: [{template: {name: t, log: {}}}]
                        """);
        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly(
                        "s.yaml:11:47: spec.dependencies[0].filters.data[0].comparator: comparator =="
                                + " not supported (one of = != < <= > >=)");
    }

    @Test
    void aSensorNeedsDependenciesTriggersAndActions() {
        assertThat(messages("dependencies: []\ntriggers: []"))
                .contains("no event dependencies found");
        assertThat(messages(DEPENDENCY + "triggers: []")).contains("no triggers found");
        assertThat(messages(DEPENDENCY + "triggers: [{template: {name: t}}]"))
                .contains("template t is invalid, it has no action");
    }

    @Test
    void namesAreUnique() {
        assertThat(
                        messages(
                                DEPENDENCY
                                        + "triggers: [{template: {name: t, log: {}}},"
                                        + " {template: {name: t, log: {}}}]"))
                .contains("duplicate trigger name: t");
        assertThat(
                        messages(
                                """
                                dependencies:
                                - {name: a, eventSourceName: es, eventName: x}
                                - {name: a, eventSourceName: es, eventName: z}
                                triggers: [{template: {name: t, log: {}}}]
                                """))
                .contains("two dependencies are called a");
    }

    @Test
    void theDlqTriggerIsCheckedLikeAnyOther() {
        assertThat(
                        messages(
                                DEPENDENCY
                                        + """
                                        triggers:
                                        - template: {name: t, log: {}}
                                          atLeastOnce: true
                                          dlqTrigger:
                                            atLeastOnce: true
                                            template: {name: d, http: {method: HEAD}}
                                        """))
                .contains(
                        "template d is invalid, server URL is not specified",
                        "template d is invalid, only GET, DELETE, PATCH, POST and PUT methods are"
                                + " supported");
    }

    @Test
    void whatConcernsOneTriggerIsAWarning() {
        List<Problem> problems =
                check(
                        DEPENDENCY
                                + """
                                triggers:
                                - template: {name: t, conditions: a && zz, log: {}}
                                - template: {name: u, slack: {message: m}}
                                - template: {name: v, log: {}}
                                  retryStrategy: {duration: soon}
                                """);
        assertThat(problems).hasSize(3).noneMatch(Problem::isError);
    }

    @Test
    void onlyWhatFiresOnEachEventAloneIsImmediate() {
        SensorDefinition sensor =
                SensorDefinition.compile(
                        read("""
                                        dependencies:
                                        - {name: a, eventSourceName: es, eventName: x}
                                        - {name: b, eventSourceName: es, eventName: z}
                                        triggers:
                                        - template: {name: one, conditions: a, log: {}}
                                        - template: {name: either, conditions: a || b, log: {}}
                                        - template: {name: partly, conditions: a || a && b, log: {}}
                                        - template: {name: both, log: {}}
                                        """)
                                .manifests()
                                .getFirst(),
                        1,
                        0);
        assertThat(sensor.triggers())
                .extracting(TriggerDefinition::immediate)
                .containsExactly(true, true, false, false);
    }

    private static List<String> messages(String spec) {
        return check(spec).stream().map(Problem::message).toList();
    }

    private static List<Problem> check(String spec) {
        return SensorDefinition.check(read(spec).documents().getFirst());
    }

    private static ReadResult read(String spec) {
        ReadResult read =
                ManifestReader.read(
                        "s.yaml",
                        "apiVersion: argoproj.io/v1alpha1\nkind: Sensor\nmetadata: {name: s}\nspec:\n"
                                + spec.indent(2));
        assertThat(read.errors()).isEmpty();
        return read;
    }
}
