package dev.millrace.executors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.executors.StepContainers;
import dev.millrace.executors.Steps;
import dev.millrace.schemas.record.StepSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepMemoryTest {
    private static final String OUTPUTS =
            ",'outputs':{'parameters':[{'name':'p','valueFrom':{'path':'/out','default':'d'}}],'artifacts':[{'name':'a','path':'/art','optional':true}]}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'container':{'image':'i','command':['c'],'args':['long'],'env':[{'name':'E','value':'v'}]}",
                "'script':{'image':'i','command':['sh'],'source':'echo'}",
                "'containerSet':{'volumeMounts':[{'name':'v','mountPath':'/v'}],'containers':[{'name':'x','image':'i'},{'name':'main','image':'j','dependencies':['x']}]}",
                "'daemon':true,'container':{'image':'i'},'initContainers':[{'name':'first','image':'i'},{'name':'proxy','image':'i','restartPolicy':'Always'}],'sidecars':[{'name':'db','image':'i','mirrorVolumeMounts':true}]",
            })
    void theEndOfAStepIsReadWithWhatIsRemembered(String template) throws Exception {
        StepSpec step = Steps.template("s1", "{'name':'t'," + template + OUTPUTS + "}");
        StepSpec remembered = StepMemory.read(StepMemory.write(step));

        assertThat(remembered)
                .usingRecursiveComparison()
                .ignoringFields("template")
                .isEqualTo(step);
        assertThat(remembered.template().outputs()).isEqualTo(step.template().outputs());
        assertThat(remembered.template().daemon()).isEqualTo(step.template().daemon());
        assertThat(containers(remembered)).isEqualTo(containers(step));
    }

    private static Object containers(StepSpec step) throws Exception {
        return StepContainers.of(step).all().stream().map(c -> c.name() + " " + c.role()).toList();
    }

    @Test
    void nothingIsRememberedThatThePodHasAnyway() {
        String long_ = "x".repeat(100_000);
        StepSpec step = Steps.script("s1", "echo " + long_);
        assertThat(StepMemory.write(step)).hasSizeLessThan(1_000).doesNotContain("xxx");
    }

    @Test
    void theTextIsTheSameEveryTime() {
        StepSpec step =
                Steps.template("s1", "{'name':'t','container':{'image':'i'}" + OUTPUTS + "}");
        assertThat(StepMemory.write(step))
                .isEqualTo(StepMemory.write(StepMemory.read(StepMemory.write(step))));
    }

    @Test
    void aTextOfSomebodyElseIsRefused() {
        assertThatThrownBy(() -> StepMemory.read("no step"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not tell of a step");
    }
}
