package dev.millrace.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Recorder;
import dev.millrace.cli.Surroundings;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerAddressTest {

    private final Recorder shell = new Recorder(Path.of("nowhere"));

    @Test
    void theOptionGoesBeforeTheOwnVariableAndThatBeforeTheOneOfArgo() {
        assertThat(ServerAddress.of("", surroundings())).hasToString("http://localhost:2746");
        shell.variable("ARGO_SERVER", "argo:1");
        assertThat(ServerAddress.of("", surroundings())).hasToString("http://argo:1");
        shell.variable("ARGO_SECURE", "true");
        assertThat(ServerAddress.of("", surroundings())).hasToString("https://argo:1");
        shell.variable("MILLRACE_SERVER", "http://own:2/base/");
        assertThat(ServerAddress.of("", surroundings())).hasToString("http://own:2/base");
        assertThat(ServerAddress.of("option:3", surroundings())).hasToString("http://option:3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "ftp://x", "http://", "://", "http://x?y=z"})
    void whatIsNoAddressIsAnErrorThatShowsHowOneIsWritten(String text) {
        assertThatThrownBy(() -> ServerAddress.of(text, surroundings()))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("http://localhost:2746");
    }

    private Surroundings surroundings() {
        return shell.surroundings(new ByteArrayOutputStream(), new ByteArrayOutputStream());
    }
}
