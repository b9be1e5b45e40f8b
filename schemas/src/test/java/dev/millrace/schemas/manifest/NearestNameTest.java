package dev.millrace.schemas.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {

    private static final List<String> NAMES =
            List.of("image", "imagePullPolicy", "env", "envFrom", "args");

    @ParameterizedTest
    @CsvSource({
        "imagee, image",
        "iamge, image",
        "IMAGE, image",
        "imagepullPolicy, imagePullPolicy",
        "imagePulPolcy, imagePullPolicy",
        "evn, env",
        "arg, args",
        "command, ",
        "xyz, ",
        "a, "
    })
    void theNameWithTheFewestMistakesIsFoundUnlessItHasTooMany(String written, String meant) {
        assertThat(NearestName.to(written, NAMES).orElse(null)).isEqualTo(meant);
    }
}
