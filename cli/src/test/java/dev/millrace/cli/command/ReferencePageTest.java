package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.Recorder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** {@code docs/reference/cli.md} is what the commands say of themselves. */
final class ReferencePageTest {

    private static final Path PAGE = Path.of("..", "docs", "reference", "cli.md");
    private static final String WRITE = "millrace.write-docs";

    @Test
    void thePageSaysWhatTheCommandsSay() throws IOException {
        String wanted = page();
        if (Boolean.getBoolean(WRITE)) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, wanted);
        }
        assertThat(PAGE).as("run the test with -D%s=true to write it", WRITE).exists();
        assertThat(Files.readString(PAGE))
                .as(
                        "docs/reference/cli.md is out of date; run ReferencePageTest with -D%s=true to write it",
                        WRITE)
                .isEqualTo(wanted);
    }

    private static String page() {
        Recorder shell = new Recorder(Path.of("nowhere"));
        CommandLine root =
                Commands.of(
                        shell.surroundings(
                                new ByteArrayOutputStream(), new ByteArrayOutputStream()));
        StringBuilder page = new StringBuilder();
        page.append("# The `millrace` command\n\n");
        page.append(
                "Made from the commands themselves by `ReferencePageTest` in `cli/`, which also says how to make it anew.\n");
        append(page, root);
        return page.toString();
    }

    private static void append(StringBuilder page, CommandLine command) {
        page.append("\n## `")
                .append(command.getCommandSpec().qualifiedName())
                .append("`\n\n```text\n");
        page.append(command.getUsageMessage(Ansi.OFF).replace("\r\n", "\n").stripTrailing());
        page.append("\n```\n");
        command.getSubcommands().values().forEach(sub -> append(page, sub));
    }
}
