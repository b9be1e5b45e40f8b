package dev.millrace.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Recorder;
import dev.millrace.cli.Surroundings;
import dev.millrace.schemas.Json;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class SubmitChangesTest {

    private static final Surroundings NOWHERE =
            new Recorder(Path.of("nowhere"))
                    .surroundings(new ByteArrayOutputStream(), new ByteArrayOutputStream());
    private static final JsonNode WORKFLOW =
            Json.mapper()
                    .readTree(
                            """
                            {"metadata":{"name":"old","labels":{"kept":"yes"}},
                             "spec":{"entrypoint":"main","arguments":{"parameters":[
                               {"name":"a","value":"1"},{"name":"b","valueFrom":{"configMapKeyRef":{"name":"c","key":"k"}}}]}}}
                            """);

    private final SubmitChanges changes = new SubmitChanges();

    @Test
    void parametersReplaceThoseOfTheWorkflowAndNewOnesAreAdded() {
        changes.parameters = List.of("b=x=y", "new=");

        assertThat(changes.applied(WORKFLOW, NOWHERE).at("/spec/arguments/parameters"))
                .isEqualTo(
                        Json.mapper()
                                .readTree(
                                        """
                                        [{"name":"a","value":"1"},{"name":"b","value":"x=y"},{"name":"new","value":""}]
                                        """));
        assertThat(WORKFLOW.at("/spec/arguments/parameters/1/value").isMissingNode()).isTrue();
    }

    @Test
    void aGeneratedNameReplacesTheNameUnlessOneIsGiven() {
        changes.generateName = "new-";
        assertThat(changes.applied(WORKFLOW, NOWHERE).path("metadata").has("name")).isFalse();
        changes.name = "given";
        assertThat(changes.applied(WORKFLOW, NOWHERE).at("/metadata/name").asString())
                .isEqualTo("given");
    }

    @Test
    void labelsAreAddedAndTheEntrypointIsReplaced() {
        changes.labels = "a=b, c=d";
        changes.entrypoint = "other";

        JsonNode changed = changes.applied(WORKFLOW, NOWHERE);

        assertThat(changed.at("/metadata/labels").toString())
                .isEqualTo("{\"kept\":\"yes\",\"a\":\"b\",\"c\":\"d\"}");
        assertThat(changed.at("/spec/entrypoint").asString()).isEqualTo("other");
    }

    @Test
    void theServerGetsTheSameAsOptions() {
        changes.parameters = List.of("a=1");
        changes.generateName = "x-";

        assertThat(changes.options(NOWHERE).toString())
                .isEqualTo("{\"generateName\":\"x-\",\"parameters\":[\"a=1\"]}");
    }

    @Test
    void spansAreSumsOfTheirParts() {
        assertThat(Spans.parse("--since", "1h30m")).isEqualTo(Duration.ofMinutes(90));
        assertThat(Spans.parse("--since", "2d")).isEqualTo(Duration.ofDays(2));
        assertThatThrownBy(() -> Spans.parse("--since", "5")).isInstanceOf(CommandException.class);
        assertThatThrownBy(() -> Spans.parse("--since", "-5s"))
                .isInstanceOf(CommandException.class);
    }
}
