package dev.millrace.executors.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathRewriterTest {
    private final PathRewriter rewriter =
            new PathRewriter(List.of("/tmp/a", "/tmp/a.txt", "/"), "/step");

    @Test
    void declaredPathsAndWhatLiesBelowThemAreMoved() {
        assertThat(rewriter.rewrite("cat </tmp/a --to=/tmp/a.txt; ls /tmp/a/b '/tmp/a'."))
                .isEqualTo(
                        "cat </step/tmp/a --to=/step/tmp/a.txt; ls /step/tmp/a/b '/step/tmp/a'.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/tmp/ab",
                "/tmp/a-b",
                "/tmp/a.md",
                "/x/tmp/a",
                "${HOME}/tmp/a",
                "./tmp/a",
                "/",
                "/tmp"
            })
    void longerAndOtherPathsAreNot(String text) {
        assertThat(rewriter.rewrite(text)).isEqualTo(text);
    }
}
