package dev.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.configuration.Configuration;
import dev.millrace.testkit.Await;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the status says of time and means: estimated before, summed up after. */
class EstimatesIT {

    private static final String TEMPLATE =
            """
            {"template":{"metadata":{"name":"slow"},"spec":{"entrypoint":"main","templates":[
              {"name":"main","steps":[[{"name":"a","template":"nap"}]]},
              {"name":"nap","container":{"image":"busybox","command":["sh","-c","sleep 2.2"],
               "resources":{"requests":{"cpu":"1"}}}}]}}}""";
    private static final String SUBMIT =
            """
            {"resourceKind":"WorkflowTemplate","resourceName":"slow","submitOptions":{"name":"%s"}}""";

    @TempDir Path data;

    private static JsonNode submitted(Client client, String name) {
        Client.Answer answer = client.post("/api/v1/workflows/argo/submit", SUBMIT.formatted(name));
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body();
    }

    @Test
    void aWorkflowTakesAsLongAsTheLastOneOfItsTemplateDid() {
        try (MillraceServer server =
                        MillraceServer.start(
                                Configuration.load(
                                        data, null, Map.of("port", "0", "minimumFreeDisk", "1Mi")),
                                _ -> {});
                Client client = new Client(server.apiAddress())) {
            Client.Answer template = client.post("/api/v1/workflow-templates/argo", TEMPLATE);
            assertThat(template.status()).as(template.body().toString()).isEqualTo(200);
            assertThat(submitted(client, "first").path("status").has("estimatedDuration"))
                    .isFalse();
            JsonNode first =
                    Await.value(
                            "the first one succeeds",
                            () ->
                                    java.util.Optional.of(
                                                    client.get("/api/v1/workflows/argo/first")
                                                            .body()
                                                            .path("status"))
                                            .filter(
                                                    s ->
                                                            s.path("phase")
                                                                    .asString("")
                                                                    .equals("Succeeded")));
            assertThat(first.at("/resourcesDuration/cpu").asInt()).isGreaterThanOrEqualTo(2);
            assertThat(first.at("/nodes/first/resourcesDuration"))
                    .isEqualTo(first.path("resourcesDuration"));
            JsonNode second = submitted(client, "second").path("status");
            assertThat(second.path("estimatedDuration").asInt()).isBetween(2, 60);
            JsonNode nap =
                    second.path("nodes")
                            .valueStream()
                            .filter(n -> n.path("displayName").asString("").equals("a"))
                            .findFirst()
                            .orElseThrow();
            assertThat(nap.path("estimatedDuration").asInt()).isBetween(2, 60);
        }
    }
}
