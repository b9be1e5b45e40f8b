package dev.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.configuration.Configuration;
import dev.millrace.testkit.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What workflows declare as metrics stands at {@code /metrics}, also after the workflows are gone.
 */
class WorkflowMetricsIT {

    private static final String METERED =
            """
            {"workflow":{"metadata":{"name":"%s"},"spec":{"entrypoint":"main",
              "metrics":{"prometheus":[
                {"name":"workflows","help":"Workflows by end","labels":[{"key":"status","value":"{{workflow.status}}"}],
                 "counter":{"value":"1"}},
                {"name":"running_for","help":"Duration","gauge":{"realtime":true,"value":"{{workflow.duration}}"}}]},
              "templates":[
                {"name":"main","steps":[[{"name":"size","template":"size"}],[{"name":"wait","template":"wait"}]]},
                {"name":"wait","suspend":{},
                 "metrics":{"prometheus":[
                   {"name":"waiting_for","help":"Duration","gauge":{"realtime":true,"value":"{{duration}}"}}]}},
                {"name":"size","container":{"image":"busybox","command":["sh","-c","echo 5 > /tmp/size"]},
                 "outputs":{"parameters":[{"name":"size","valueFrom":{"path":"/tmp/size"}}]},
                 "metrics":{"prometheus":[
                   {"name":"size","help":"Sizes","when":"{{status}} == Succeeded",
                    "histogram":{"buckets":[2,10],"value":"{{outputs.parameters.size}}"}},
                   {"name":"wrong","help":"h","counter":{"value":"{{status}}"}}]}}]}}}""";

    @TempDir Path data;

    private Configuration configuration() {
        return Configuration.load(data, null, Map.of("port", "0", "minimumFreeDisk", "1Mi"));
    }

    private static List<String> metrics(Client client) {
        return client.get("/metrics")
                .body()
                .asString("")
                .lines()
                .filter(line -> line.contains("argo_workflows_"))
                .toList();
    }

    private static JsonNode workflow(Client client, String name) {
        return client.get("/api/v1/workflows/argo/" + name).body();
    }

    private static void submit(Client client, String name) {
        Client.Answer answer = client.post("/api/v1/workflows/argo", METERED.formatted(name));
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        Await.until(
                "it waits",
                () ->
                        workflow(client, name)
                                .at("/status/nodes")
                                .valueStream()
                                .anyMatch(n -> n.path("type").asString("").equals("Suspend")));
    }

    @Test
    void theyAreCountedOnceAndOutliveWorkflowsServersAndReadModels() {
        List<String> before;
        try (MillraceServer server = MillraceServer.start(configuration(), _ -> {});
                Client client = new Client(server.apiAddress())) {
            submit(client, "one");
            assertThat(metrics(client))
                    .contains("# TYPE argo_workflows_running_for gauge")
                    .anyMatch(line -> line.matches("argo_workflows_waiting_for \\d+\\.\\d+"))
                    .contains(
                            "# HELP argo_workflows_size Sizes",
                            "# TYPE argo_workflows_size histogram",
                            "argo_workflows_size_bucket{le=\"2.0\"} 0",
                            "argo_workflows_size_bucket{le=\"10.0\"} 1",
                            "argo_workflows_size_bucket{le=\"+Inf\"} 1",
                            "argo_workflows_size_sum 5.0",
                            "argo_workflows_size_count 1");
            assertThat(workflow(client, "one").at("/status/conditions").toString())
                    .contains("MetricsError")
                    .contains("metric 'wrong': 'Succeeded' is not a number");
            client.put("/api/v1/workflows/argo/one/resume", "{}");
            submit(client, "two");
            client.put("/api/v1/workflows/argo/two/terminate", "{}");
            Await.until(
                    "both are counted",
                    () ->
                            metrics(client)
                                    .containsAll(
                                            List.of(
                                                    "argo_workflows_workflows{status=\"Failed\"} 1.0",
                                                    "argo_workflows_workflows{status=\"Succeeded\"} 1.0",
                                                    "argo_workflows_size_count 2")));
            before = metrics(client);
        }
        ReadModelRebuild.run(configuration());
        try (MillraceServer server = MillraceServer.start(configuration(), _ -> {});
                Client client = new Client(server.apiAddress())) {
            assertThat(metrics(client)).isEqualTo(before);
            client.delete("/api/v1/workflows/argo/one");
            client.delete("/api/v1/workflows/argo/two");
            Await.until(
                    "what followed them is gone",
                    () -> metrics(client).stream().noneMatch(line -> line.contains("_for")));
            assertThat(metrics(client))
                    .contains(
                            "argo_workflows_workflows{status=\"Failed\"} 1.0",
                            "argo_workflows_size_count 2");
        }
        ReadModelRebuild.run(configuration());
        try (MillraceServer server = MillraceServer.start(configuration(), _ -> {});
                Client client = new Client(server.apiAddress())) {
            assertThat(metrics(client))
                    .contains(
                            "argo_workflows_workflows{status=\"Failed\"} 1.0",
                            "argo_workflows_size_count 2");
        }
    }
}
