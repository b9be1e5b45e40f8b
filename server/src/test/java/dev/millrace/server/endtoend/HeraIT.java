package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The Python client of the field, unmodified from PyPI, does its daily work. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class HeraIT {

    @TempDir Path folder;

    /** How a program ended and what it said. */
    private record Ended(int code, String output, String errors) {}

    @Test
    void heraSubmitsWaitsReadsListsAndDeletes() throws IOException, InterruptedException {
        assumeHera();
        Path script = folder.resolve("hera_client.py");
        try (InputStream in = HeraIT.class.getResourceAsStream("hera_client.py")) {
            Files.copy(Objects.requireNonNull(in), script);
        }
        try (TestServer server = TestServer.start(folder.resolve("data"), "127.12.4.1")) {
            Ended ended = run("python3", script.toString(), server.api().address().toString());

            assertThat(ended.code()).as(ended.output() + ended.errors()).isZero();
            JsonNode said =
                    Json.mapper().readTree(ended.output().strip().lines().toList().getLast());
            String name = said.path("name").asString();
            assertThat(said.path("version").asString()).startsWith("v");
            assertThat(server.api().log(name)).contains("it is 14");
            assertThat(server.api().workflows()).extracting(ApiClient::name).containsExactly(name);
        }
    }

    private void assumeHera() throws InterruptedException {
        try {
            Ended hera = run("python3", "-c", "import hera.workflows");
            Assumptions.assumeTrue(
                    hera.code() == 0,
                    () -> "skipped: the Python package hera is absent; pip install hera");
        } catch (IOException e) {
            Assumptions.abort("skipped: python3 is absent (" + e.getMessage() + ")");
        }
    }

    private Ended run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        Path errors = Files.createTempFile(folder, "errors", ".txt");
        int code =
                new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start()
                        .waitFor();
        return new Ended(
                code,
                Files.readString(output, StandardCharsets.UTF_8),
                Files.readString(errors, StandardCharsets.UTF_8));
    }
}
