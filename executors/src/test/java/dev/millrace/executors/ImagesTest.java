package dev.millrace.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.workflow.Container;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ImagesTest {
    private final Images images =
            Images.builtIn()
                    .with(
                            Map.of(
                                    "nginx",
                                    List.of("nginx", "-g"),
                                    "reg:5000/tool:1",
                                    List.of("tool")));

    @Test
    void aReferenceWithoutATagStandsForAllTags() {
        assertThat(images.command("nginx:1.25")).hasValue(List.of("nginx", "-g"));
        assertThat(images.command("docker.io/library/nginx@sha256:abc"))
                .hasValue(List.of("nginx", "-g"));
        assertThat(images.command("quay.io/argoproj/argosay:v2")).hasValue(List.of("argosay"));
    }

    @Test
    void aReferenceWithATagStandsForItself() {
        assertThat(images.command("reg:5000/tool:1")).hasValue(List.of("tool"));
        assertThat(images.command("reg:5000/tool:2")).isEmpty();
    }

    @Test
    void aStandInIsFoundWhereTheImageHasItsProgram() throws StepRefusedException {
        assertThat(container("/argosay").commandLine(images)).containsExactly("argosay", "echo");
        assertThat(container("/bin/argosay").commandLine(images))
                .containsExactly("/bin/argosay", "echo");
        assertThat(container("sh").commandLine(images)).containsExactly("sh", "echo");
    }

    private static StepContainer container(String command) {
        String json =
                "{\"image\":\"argoproj/argosay:v2\",\"command\":[\"%s\"],\"args\":[\"echo\"]}";
        return new StepContainer(
                StepContainer.MAIN,
                StepContainer.Role.MAIN,
                Json.mapper().readValue(json.formatted(command), Container.class),
                List.of(),
                null);
    }
}
