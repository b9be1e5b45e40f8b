package dev.millrace.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** Recorded behaviour of the real systems, which lies outside of the repository. */
public final class Conformance {

    private static final String PROPERTY = "millrace.conformance";

    private Conformance() {}

    /** The folder, if it is there. */
    public static Optional<Path> folder() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .filter(text -> !text.isBlank())
                .map(Path::of)
                .filter(Files::isDirectory);
    }

    /** The folder; without it the test is skipped, and says how to get it. */
    public static Path assumePresent() {
        Optional<Path> folder = folder();
        Assumptions.assumeTrue(
                folder.isPresent(),
                () ->
                        "skipped: the conformance data is not at "
                                + System.getProperty(PROPERTY, "(not set)")
                                + "; give its folder with -D"
                                + PROPERTY
                                + "=<folder>");
        return folder.orElseThrow();
    }
}
