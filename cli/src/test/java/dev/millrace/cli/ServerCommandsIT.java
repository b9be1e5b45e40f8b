package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.Recorder.Said;
import dev.millrace.cli.local.MillraceLauncher;
import dev.millrace.cli.local.TemporaryServer;
import dev.millrace.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a real server. */
final class ServerCommandsIT {

    private static final String HELLO =
            """
            apiVersion: argoproj.io/v1alpha1
            kind: Workflow
            metadata:
              generateName: hello-
            spec:
              entrypoint: main
              arguments:
                parameters:
                  - name: whom
                    value: world
              templates:
                - name: main
                  steps:
                    - - name: greet
                        template: say
                - name: say
                  container:
                    image: alpine:3.23
                    command: [sh, -c]
                    args: ["echo hello {{workflow.parameters.whom}}; exit {{workflow.parameters.code}}"]
            """
                    .replace(
                            "- name: whom",
                            "- name: code\n        value: \"0\"\n      - name: whom");

    private static final String TEMPLATE =
            """
            apiVersion: argoproj.io/v1alpha1
            kind: WorkflowTemplate
            metadata:
              name: gate
            spec:
              entrypoint: main
              templates:
                - name: main
                  steps:
                    - - name: approve
                        template: approve
                - name: approve
                  suspend: {}
            """;

    private static TemporaryServer own;
    @TempDir private Path folder;
    private Recorder shell;

    @BeforeAll
    static void start() {
        own = TemporaryServer.start(new MillraceLauncher(Map.of()), 0, true, _ -> {});
    }

    @AfterAll
    static void stop() {
        own.close();
        assertThat(own.folder()).doesNotExist();
    }

    @BeforeEach
    void write() throws IOException {
        URI api = own.server().api();
        shell = new Recorder(folder).variable("MILLRACE_SERVER", api.toString());
        Files.writeString(folder.resolve("hello.yaml"), HELLO);
        Files.writeString(folder.resolve("gate.yaml"), TEMPLATE);
        Files.writeString(
                folder.resolve("door.yaml"), TEMPLATE.replace("name: gate", "name: door"));
    }

    @Test
    void aSubmittedWorkflowIsWaitedForShownListedAndDeleted() {
        Said submitted =
                shell.run(
                        "submit",
                        "hello.yaml",
                        "--name",
                        "one",
                        "-p",
                        "whom=ada",
                        "-l",
                        "team=a",
                        "--wait");
        assertThat(submitted.err()).isEmpty();
        assertThat(submitted.code()).isZero();
        assertThat(submitted.out()).contains("one Succeeded at ");

        Said got = shell.run("get", "one");
        assertThat(got.out())
                .contains(
                        "Status:              Succeeded",
                        "  whom:",
                        "ada",
                        " ✔ one",
                        " └───✔ greet");
        assertThat(shell.run("get", "one", "-o", "yaml").out())
                .contains("phase: Succeeded", "  name: one");
        assertThat(shell.run("get", "one", "-o", "json").out()).startsWith("{");

        assertThat(shell.run("logs", "one").out()).matches("one-say-\\d+: hello ada\n");
        assertThat(shell.run("logs", "one", "--grep", "nothing like it").out()).isEmpty();

        assertThat(shell.run("list", "-l", "team=a").out()).contains("NAME", "one", "Succeeded");
        assertThat(shell.run("list", "-l", "team=b").out()).isEqualTo("No workflows found\n");
        assertThat(shell.run("list", "--running", "-o", "name").out()).doesNotContain("one");
        assertThat(shell.run("wait", "one").code()).isZero();

        assertThat(shell.run("delete", "one").out()).isEqualTo("workflow one deleted\n");
        Said gone = shell.run("get", "one");
        assertThat(gone.code()).isEqualTo(1);
        assertThat(gone.err()).isEqualTo("millrace: workflows.argoproj.io \"one\" not found\n");
    }

    @Test
    void aWorkflowThatFailsGivesTheExitCodeOfFailure() {
        Said said = shell.run("submit", "hello.yaml", "-p", "code=3", "--watch");

        assertThat(said.code()).isEqualTo(1);
        assertThat(said.out()).contains("✖").contains("Status:              Failed");
        assertThat(shell.run("submit", "hello.yaml", "-p", "code=3", "--log").out())
                .contains(": hello world", "Failed at");
        assertThat(shell.run("list", "--status", "Failed", "-o", "name").out().lines())
                .hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void aTemplateIsAppliedStartedFromAndItsGateOpened() {
        assertThat(shell.run("apply", "-f", "gate.yaml").out())
                .isEqualTo("workflowtemplate/gate created\n");
        assertThat(shell.run("apply", "-f", "gate.yaml").out())
                .isEqualTo("workflowtemplate/gate unchanged\n");
        assertThat(shell.run("template", "list").out()).contains("gate");
        assertThat(shell.run("template", "get", "gate").out()).contains("entrypoint: main");

        Said started =
                shell.run(
                        "submit",
                        "--from",
                        "workflowtemplate/gate",
                        "--generate-name",
                        "g-",
                        "-o",
                        "name");
        assertThat(started.err()).isEmpty();
        String name = started.out().strip();
        assertThat(name).startsWith("g-");
        Await.until(
                "the gate is reached", () -> shell.run("get", name).out().contains("ǁ approve"));
        assertThat(shell.run("resume", name, "--node-field-selector", "displayName=approve").out())
                .isEqualTo("workflow " + name + " resumed\n");
        assertThat(shell.run("watch", name).code()).isZero();

        String second =
                shell.run("submit", "--from", "workflowtemplate/gate", "-o", "name").out().strip();
        assertThat(shell.run("suspend", second).out())
                .isEqualTo("workflow " + second + " suspended\n");
        assertThat(shell.run("stop", second).out()).isEqualTo("workflow " + second + " stopped\n");
        assertThat(shell.run("wait", second).code()).isEqualTo(1);
        String third = shell.run("submit", "--from", "wftmpl/gate", "-o", "name").out().strip();
        assertThat(shell.run("terminate", "@latest").out())
                .isEqualTo("workflow " + third + " terminated\n");
        assertThat(shell.run("template", "delete", "gate").code()).isZero();
        assertThat(shell.run("submit", "--from", "workflowtemplate/gate").code()).isEqualTo(1);
    }

    @Test
    void aCronWorkflowIsCreatedShownSuspendedBackfilledAndDeleted() throws IOException {
        Files.writeString(
                folder.resolve("cron.yaml"),
                """
                apiVersion: argoproj.io/v1alpha1
                kind: CronWorkflow
                metadata: {name: nightly}
                spec:
                  schedules: ["0 2 * * *", "0 3 1 * *"]
                  timezone: Europe/Berlin
                  concurrencyPolicy: Forbid
                  workflowSpec:
                    entrypoint: main
                    arguments: {parameters: [{name: message, value: hello}]}
                    templates: [{name: main, suspend: {duration: "0"}}]
                """);
        assertThat(shell.run("cron", "lint", "cron.yaml").code()).isZero();
        Said created = shell.run("cron", "create", "cron.yaml", "-p", "message=good night");
        assertThat(created.err()).isEmpty();
        assertThat(created.out())
                .contains(
                        "Name:                          nightly\n",
                        "Schedules:                     0 2 * * *,0 3 1 * *\n",
                        "Timezone:                      Europe/Berlin\n",
                        "NextScheduledTime:",
                        "  message:                     good night\n");
        assertThat(shell.run("cron", "create", "cron.yaml").err())
                .startsWith("cron.yaml:1:1: ")
                .contains("already exists");
        Files.writeString(
                folder.resolve("lost-cron.yaml"),
                Files.readString(folder.resolve("cron.yaml"))
                        .replaceAll("entrypoint: .*", "entrypoint: gone"));
        for (String verb : List.of("create", "update", "lint")) {
            assertThat(shell.run("cron", verb, "lost-cron.yaml").err())
                    .as(verb)
                    .matches("(?s)lost-cron.yaml:[1-9][0-9]*:[0-9]+: spec.workflowSpec.*gone.*");
        }
        assertThat(shell.run("cron", "update", "cron.yaml", "-o", "yaml").out())
                .contains("value: hello");
        assertThat(shell.run("cron", "suspend", "nightly").out())
                .isEqualTo("CronWorkflow 'nightly' suspended\n");
        assertThat(shell.run("cron", "list").out().lines())
                .anyMatch(l -> l.matches("nightly +\\d+s +N/A +N/A .*Europe/Berlin +true"));
        assertThat(shell.run("cron", "resume", "nightly").code()).isZero();
        assertThat(shell.run("cron", "list", "-A", "-o", "name").out()).isEqualTo("nightly\n");

        String[] backfill = {
            "cron", "backfill", "nightly", "--start", "2026-01-30", "--end", "2026-02-02T12:00:00Z"
        };
        Said filled = shell.run(backfill);
        assertThat(filled.err()).isEmpty();
        assertThat(filled.code()).isZero();
        // 2 o'clock of four days, and 3 o'clock of the first of the month.
        assertThat(filled.out())
                .contains(
                        "5 scheduled times",
                        "nightly-backfill-1769734800 2026-01-30T01:00:00Z started");
        assertThat(shell.run("get", "nightly-backfill-1769734800", "-o", "yaml").out())
                .contains(
                        "workflows.argoproj.io/scheduled-time: \"2026-01-30T01:00:00Z\"",
                        "2026-01-30 01:00:00 +0000 UTC");
        assertThat(shell.run(backfill).out())
                .doesNotContain("started")
                .contains("is there already");
        assertThat(shell.run("cron", "backfill", "nightly", "--start", "2020-01-01").err())
                .contains("more than 1000");

        assertThat(shell.run("cron", "delete", "nightly").out())
                .isEqualTo("cronworkflow nightly deleted\n");
        assertThat(shell.run("cron", "get", "nightly").err()).contains("\"nightly\" not found");
        assertThat(shell.run("get", "nightly-backfill-1769734800").code()).isZero();
    }

    @Test
    void limitsOfSemaphoresAreMadeShownChangedAndTakenOut() {
        String[] place = {"slots", "--cm-name", "my-limits"};
        Said made = sync("create", place, "--limit", "2");
        assertThat(made.err()).isEmpty();
        assertThat(made.out())
                .isEqualTo(
                        "created: key slots of ConfigMap my-limits in namespace default, limit 2\n");
        Said twice = sync("create", place, "--limit", "2");
        assertThat(twice.code()).isEqualTo(1);
        assertThat(twice.err()).contains("has a limit 'slots' already");
        assertThat(sync("update", place, "--limit", "5").out()).contains("limit 5");
        assertThat(sync("get", place).out()).startsWith("found: ").contains("limit 5");
        assertThat(sync("update", place, "--limit", "0").code()).isEqualTo(1);
        assertThat(sync("delete", place).out()).isEqualTo("deleted: key slots\n");
        assertThat(sync("get", place).code()).isEqualTo(1);
        Said database = sync("get", place, "--type", "database");
        assertThat(database.code()).isEqualTo(2);
        assertThat(database.err()).contains("limits in a database are not built");
    }

    private Said sync(String verb, String[] place, String... more) {
        return shell.run(
                Stream.of(Stream.of("sync", verb), Stream.of(place), Stream.of(more))
                        .flatMap(words -> words)
                        .toArray(String[]::new));
    }

    @Test
    void badInputIsRefusedWithItsPlaceAndTheServerStaysUp() throws IOException {
        Files.writeString(folder.resolve("misspelt.yaml"), HELLO.replace("image:", "imagee:"));
        Said misspelt = shell.run("submit", "misspelt.yaml");
        assertThat(misspelt.code()).isEqualTo(1);
        assertThat(misspelt.err()).contains("misspelt.yaml:", "imagee", "image");

        Files.writeString(folder.resolve("broken.yaml"), "a: [1\nb: 2\n");
        assertThat(shell.run("apply", "-f", "broken.yaml").code()).isEqualTo(1);
        assertThat(shell.run("apply", "-f", "broken.yaml").err()).contains("broken.yaml:");

        assertThat(shell.run("lint", "broken.yaml", "hello.yaml").out())
                .isEqualTo("hello.yaml: no errors in 1 manifests\n");
        assertThat(shell.run("lint", "hello.yaml", "gate.yaml").code()).isZero();
        assertThat(shell.run("version").out()).contains("server at " + own.server().api());
    }

    @Test
    void whatAWorkflowStoredIsCopied() throws IOException {
        Files.writeString(
                folder.resolve("stores.yaml"),
                """
                apiVersion: argoproj.io/v1alpha1
                kind: Workflow
                metadata: {name: stores}
                spec:
                  entrypoint: main
                  templates:
                    - name: main
                      script:
                        image: alpine:3.23
                        command: [sh]
                        source: mkdir -p /out/d; echo one > /out/one; echo two > "/out/d/two 2"; echo log
                      outputs:
                        artifacts:
                          - {name: tree, path: /out, archive: {none: {}}}
                          - {name: packed, path: /out/one}
                """);
        assertThat(shell.run("submit", "stores.yaml", "--wait").code()).isZero();
        Said copied = shell.run("cp", "stores", "here");
        assertThat(copied.err()).isEmpty();
        assertThat(copied.code()).isZero();
        Path outputs = folder.resolve("here/default/stores/stores/outputs");
        assertThat(outputs.resolve("tree/one")).hasContent("one");
        assertThat(outputs.resolve("tree/d/two 2")).hasContent("two");
        assertThat(outputs.resolve("packed/packed.tgz")).isRegularFile();
        assertThat(
                        shell.run(
                                        "cp",
                                        "stores",
                                        "there",
                                        "--artifact-name",
                                        "packed",
                                        "--path",
                                        "{templateName}")
                                .out())
                .isEqualTo("Created %s%n".formatted(folder.resolve("there/main/packed.tgz")));
        Said none = shell.run("cp", "stores", "x", "--artifact-name", "none");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("no such output artifact");
    }

    @Test
    void whatTheServerFindsHasThePlaceInTheFile() throws IOException {
        String lost = TEMPLATE + "---\n" + HELLO.replace("template: say", "template: shout");
        Files.writeString(folder.resolve("lost.yaml"), lost);
        int line = lost.lines().toList().indexOf("            template: shout") + 1;
        String place = "lost.yaml:" + line + ":13: spec.templates[0].steps[0][0].template: ";

        for (String command : List.of("submit", "lint")) {
            Said said = shell.run(command, "hello.yaml", "lost.yaml");
            assertThat(said.code()).isEqualTo(1);
            assertThat(said.err()).as(command).contains("shout").doesNotContain(":1:1:");
            assertThat(said.err().lines()).as(command).anyMatch(text -> text.startsWith(place));
        }
        assertThat(shell.run("submit", "lost.yaml", "--server-dry-run", "-o", "name").err())
                .contains(place);
        Said run = shell.run("run", "lost.yaml", "--server", own.server().api().toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).startsWith(place);

        String template = HELLO + "---\n" + TEMPLATE.replace("template: approve", "template: gone");
        Files.writeString(folder.resolve("template.yaml"), template);
        int wrong = template.lines().toList().indexOf("            template: gone") + 1;
        Said applied = shell.run("apply", "-f", "template.yaml");
        assertThat(applied.code()).isEqualTo(1);
        assertThat(applied.err())
                .contains(
                        "\ntemplate.yaml:"
                                + wrong
                                + ":13: spec.templates[0].steps[0][0].template: ");

        shell.run("submit", "hello.yaml", "--name", "taken", "-w");
        assertThat(shell.run("submit", "hello.yaml", "--name", "taken").err())
                .startsWith("hello.yaml:1:1: ")
                .contains("already exists");
    }

    @Test
    void dryRunsStartNothing() {
        Said dry =
                shell.run(
                        "submit", "hello.yaml", "--name", "dry", "--server-dry-run", "-o", "yaml");
        assertThat(dry.err()).isEmpty();
        assertThat(dry.code()).isZero();
        assertThat(dry.out()).contains("name: dry", "kind: Workflow");
        assertThat(shell.run("get", "dry").code()).isEqualTo(1);

        shell.run("apply", "-f", "door.yaml");
        for (String option : List.of("--dry-run", "--server-dry-run")) {
            Said from =
                    shell.run(
                            "submit",
                            "--from",
                            "wftmpl/door",
                            "--name",
                            "dry",
                            option,
                            "-o",
                            "name");
            assertThat(from.out()).isEqualTo("dry\n");
            assertThat(shell.run("get", "dry").code()).isEqualTo(1);
        }
    }

    @Test
    void ordersGoToAllThatASelectorMeansAndSayWhoThatIs() {
        shell.run("apply", "-f", "door.yaml");
        for (String name : List.of("s-one", "s-two")) {
            shell.run("submit", "--from", "wftmpl/door", "--name", name, "-l", "group=s");
        }
        assertThat(
                        shell.run("list", "-l", "group=s", "--chunk-size", "1", "-o", "name")
                                .out()
                                .lines())
                .containsExactlyInAnyOrder("s-one", "s-two");
        assertThat(shell.run("suspend", "-l", "group=s", "--dry-run").out().lines())
                .containsExactlyInAnyOrder(
                        "workflow s-one would be suspended", "workflow s-two would be suspended");
        assertThat(shell.run("stop", "--field-selector", "metadata.name=s-one").out())
                .isEqualTo("workflow s-one stopped\n");
        assertThat(shell.run("wait", "s-one").code()).isEqualTo(1);
        assertThat(shell.run("terminate", "-l", "group=s").out())
                .isEqualTo("workflow s-two terminated\n");
        assertThat(shell.run("wait", "s-two").code()).isEqualTo(1);
        assertThat(shell.run("terminate", "-l", "group=s").out()).isEqualTo("No workflows found\n");
    }

    @Test
    void aPodThatIsNotThereIsSaidWithThoseThatAre() {
        shell.run("submit", "hello.yaml", "--name", "pods", "--wait");
        String pod = shell.run("logs", "pods").out().split(":")[0];

        for (String option : List.of("--tail=1", "--follow")) {
            Said said = shell.run("logs", "pods", "nopod", option);
            assertThat(said.code()).isEqualTo(1);
            assertThat(said.err())
                    .isEqualTo(
                            "millrace: the workflow pods has no pod \"nopod\"; there are "
                                    + pod
                                    + "\n");
        }
        assertThat(shell.run("logs", "pods", pod, "-f").out()).isEqualTo(pod + ": hello world\n");
    }

    @Test
    void eventsAreListedAndShown() {
        assertThat(shell.run("events", "list").out()).isEqualTo("No events found\n");
        assertThat(shell.run("events", "list", "-o", "json").out()).isEqualTo("[ ]\n");
        Said none = shell.run("events", "show", "nothing");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("event \"nothing\" not found");
    }

    @Test
    void aFolderThatIsInUseIsNotTakenAndItsReadModelIsNotRebuilt() {
        Recorder here = new Recorder(folder).launcher(new MillraceLauncher(Map.of()), folder);
        String data = own.folder().toString();
        Said up = here.run("up", "--data", data, "--port", "0");
        assertThat(up.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(up.err()).contains(data).contains("use");
        assertThat(here.run("rebuild", "--data", data).code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(here.run("rebuild").err()).contains("is no data folder");

        Said port = here.run("up", "--port", Integer.toString(own.server().api().getPort()));
        assertThat(port.code()).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(port.err()).contains("in use", "--port");
    }

    @Test
    void aWorkflowIsShownAsItStoodAndItsHistoryIsListed() {
        shell.run("submit", "hello.yaml", "--name", "past", "--wait");
        Said history = shell.run("get", "past", "--history");
        assertThat(history.err()).isEmpty();
        assertThat(history.out())
                .startsWith("   1  20")
                .contains(
                        "the workflow is submitted",
                        "the step of past[0].greet is started",
                        "past[0].greet succeeded",
                        "the workflow is Succeeded");

        Said first = shell.run("get", "past", "--at", "1");
        assertThat(first.out())
                .startsWith("As of:               20")
                .contains(", after transition 1 of ", "Status:              Running")
                .doesNotContain("Succeeded");
        assertThat(shell.run("get", "past", "--at", "0s", "-o", "yaml").out())
                .contains("phase: Succeeded");

        Said beyond = shell.run("get", "past", "--at", "900");
        assertThat(beyond.code()).isEqualTo(1);
        assertThat(beyond.err()).contains("at=900: workflow past has ", " transitions, from 20");
        assertThat(shell.run("get", "past", "--at", "1", "--history").code()).isEqualTo(2);
    }

    @Test
    void twoWorkflowsAndTwoMomentsOfOneAreCompared() {
        shell.run("submit", "hello.yaml", "--name", "left", "--wait");
        shell.run("submit", "hello.yaml", "--name", "again", "--wait");
        shell.run("submit", "hello.yaml", "--name", "right", "-p", "code=3", "--wait");

        Said same = shell.run("diff", "left", "again");
        assertThat(same.code()).as(same.out() + same.err()).isZero();
        assertThat(same.out()).startsWith("left and again are the same");

        Said different = shell.run("diff", "left", "right");
        assertThat(different.code()).isEqualTo(1);
        assertThat(different.err()).isEmpty();
        assertThat(different.out())
                .startsWith("--- left\n+++ right\n")
                .contains("phase: Succeeded → Failed", "code: 0 → 3", "[0].greet\n");
        assertThat(shell.run("diff", "left", "right", "-o", "json").out())
                .contains("\"same\" : false");

        Said moments = shell.run("diff", "left", "--at", "1", "--at", "0s");
        assertThat(moments.code()).isEqualTo(1);
        assertThat(moments.out()).startsWith("--- left at 1\n").contains("Running → Succeeded");
        assertThat(shell.run("diff", "left", "--at", "0s").code()).isZero();
        assertThat(shell.run("diff", "left").code()).isEqualTo(2);
        assertThat(shell.run("diff", "left", "right", "--at", "1").code()).isEqualTo(2);
    }
}
