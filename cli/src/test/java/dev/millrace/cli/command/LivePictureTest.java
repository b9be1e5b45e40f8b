package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.Recorder;
import dev.millrace.schemas.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

final class LivePictureTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void onATerminalThePictureIsDrawnOverTheLastOneAndNeverTallerThanTheTerminal() {
        Recorder shell = new Recorder(Path.of("x")).variable("NO_COLOR", "1").terminal(20, 6);
        LivePicture picture = new LivePicture(shell.surroundings(out, out));

        picture.show(workflow("Running"));
        String first = said();
        assertThat(first.lines()).hasSize(5).allMatch(line -> line.length() <= 20);
        assertThat(first).contains("more lines");

        picture.end(workflow("Succeeded"));
        assertThat(said().substring(first.length()))
                .startsWith("\u001b[5A\r\u001b[J")
                .contains(" ✔ wf");
    }

    @Test
    void elsewhereEachChangeIsALineAndThePictureComesAtTheEnd() {
        LivePicture picture = new LivePicture(new Recorder(Path.of("x")).surroundings(out, out));

        picture.show(workflow("Pending"));
        picture.show(workflow("Running"));
        picture.show(workflow("Running"));
        assertThat(said()).isEqualTo(" ● wf Running\n");

        picture.end(workflow("Failed"));
        assertThat(said()).startsWith(" ● wf Running\n ✖ wf Failed\n\nName:").contains("STEP");
    }

    @Test
    void aLineIsCutByWhatIsSeenOfIt() {
        assertThat(LivePicture.cut("\u001b[31mabcd\u001b[0mef", 3))
                .isEqualTo("\u001b[31mabc\u001b[0m");
        assertThat(LivePicture.cut("abc", 3)).isEqualTo("abc");
        assertThat(LivePicture.cut("✔😀x", 2)).isEqualTo("✔😀");
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static ObjectNode workflow(String phase) {
        ObjectNode workflow = Json.object();
        workflow.putObject("metadata").put("name", "wf").put("namespace", "default");
        ObjectNode status = workflow.putObject("status").put("phase", phase);
        status.putObject("nodes")
                .putObject("wf")
                .put("id", "wf")
                .put("name", "wf")
                .put("displayName", "wf")
                .put("type", "Pod")
                .put("phase", phase);
        return workflow;
    }
}
