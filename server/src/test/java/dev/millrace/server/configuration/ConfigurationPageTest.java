package dev.millrace.server.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/configuration.md} has every setting. */
class ConfigurationPageTest {

    private static final Path PAGE = Path.of("..", "docs", "reference", "configuration.md");
    private static final String WRITE = "millrace.write-docs";

    @Test
    void thePageHasEverySetting() throws IOException {
        String wanted = page();
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(PAGE, wanted);
        }
        assertThat(Files.readString(PAGE))
                .as("run ConfigurationPageTest with -D%s=true to write it", WRITE)
                .isEqualTo(wanted);
    }

    private static String page() {
        StringBuilder page =
                new StringBuilder(
                        """
                        # Configuration

                        Settings stand in `millrace.yaml` in the data folder (`./.millrace` of `up`, or `--data DIR`), one line each:

                        ```yaml
                        port: 2746
                        parallelism: 16
                        images:
                          docker/whalesay: [cowsay]
                        ```

                        A variable of the environment wins over the file, a flag of the command over both. `run` and `demo` have a data folder
                        of their own for the time of the command, so there only variables and flags count. Sizes are bytes, or end in `Ki`, `Mi`
                        or `Gi`; durations are such as `90m` or `168h`. An unknown setting is refused.

                        This page is made by `ConfigurationPageTest` in `server/`, which also says how to make it anew.

                        | setting | variable | default | meaning |
                        |---|---|---|---|
                        """);
        for (Setting setting : Setting.values()) {
            page.append(
                    "| `%s` | %s | %s | %s |\n"
                            .formatted(
                                    setting.key(),
                                    setting.isMap() ? "" : "`" + setting.variable() + "`",
                                    setting.fallback().isEmpty()
                                            ? ""
                                            : "`" + setting.fallback() + "`",
                                    setting.meaning()));
        }
        return page.toString();
    }
}
