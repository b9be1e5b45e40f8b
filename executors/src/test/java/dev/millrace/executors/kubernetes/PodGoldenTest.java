package dev.millrace.executors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each step of {@code pods/*.yaml} gives the pod of the file beside it. */
class PodGoldenTest {
    private static final Path FOLDER =
            Path.of("src/test/resources/dev/millrace/executors/kubernetes/pods");
    private static final String CURE =
            "If the change is meant, write the files anew: mvn -pl executors -am test -Dtest=PodGoldenTest -Dmillrace.golden.write=true";

    static List<String> steps() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(f -> f.getFileName().toString())
                    .filter(f -> !f.endsWith(".pod.yaml"))
                    .map(f -> f.replaceFirst("\\.yaml$", ""))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("steps")
    void theStepBecomesItsPod(String name) throws Exception {
        Pod pod = Pods.of(Files.readString(FOLDER.resolve(name + ".yaml")));
        String text = Serialization.asYaml(pod);
        Path golden = FOLDER.resolve(name + ".pod.yaml");
        if (Boolean.getBoolean("millrace.golden.write")) {
            Files.writeString(golden, text);
        }
        assertThat(text).as("%s. %s", golden, CURE).isEqualTo(Files.readString(golden));
    }
}
