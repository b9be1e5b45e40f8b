package dev.millrace.expressions;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Recorded results of the original libraries, one JSON object a line. */
public final class Vectors {

    private static final JsonMapper JSON = new JsonMapper();

    private Vectors() {}

    /**
     * The lines of a file under {@code expressions/} of the conformance data; skips the test where
     * that is absent.
     */
    public static List<JsonNode> lines(String file) {
        String root = System.getProperty("millrace.conformance");
        assumeTrue(
                root != null,
                "system property millrace.conformance is not set: conformance data are not at hand");
        Path path = Path.of(root, "expressions", file);
        assumeTrue(Files.exists(path), "conformance data are not at hand: " + path);
        try {
            return Files.readAllLines(path).stream()
                    .filter(line -> !line.isBlank())
                    .map(JSON::readTree)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
