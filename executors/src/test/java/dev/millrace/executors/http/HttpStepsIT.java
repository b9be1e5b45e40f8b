package dev.millrace.executors.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Reports;
import dev.millrace.executors.Steps;
import dev.millrace.executors.WebServer;
import dev.millrace.executors.serverside.ServerSideExecutor;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call sends, and what becomes of its answer. */
@Timeout(60)
class HttpStepsIT {
    private static final KeyValues SECRETS =
            (namespace, name) ->
                    namespace.equals("argo") && name.equals("api")
                            ? Optional.of(Map.of("token", "s3cret", "lines", "s3cret\nmore"))
                            : Optional.empty();
    private static final int LIMIT = 100_000;

    @TempDir Path root;
    private final Reports reports = new Reports();
    private WebServer web;
    private ServerSideExecutor executor;

    @BeforeEach
    void open() throws Exception {
        web = WebServer.plain();
        executor =
                new ServerSideExecutor(
                        root.resolve("http"),
                        64,
                        List.of(
                                new HttpSteps(
                                        SECRETS, new HttpClients(ProxyRules.of(Map.of())), LIMIT)),
                        InstantSource.system());
        executor.recover(reports);
    }

    @AfterEach
    void close() {
        executor.close(false);
        web.close();
    }

    /** Runs a call; {@code '} stands for {@code "}, and {@code $} for the address of the server. */
    private StepOutcome run(String http) {
        executor.start(Steps.template("s1", step(http)));
        return reports.awaitEnd("s1");
    }

    private String step(String http) {
        return "{'name':'a','http':" + http.replace("$", web.url("")) + "}";
    }

    private static StepOutcome ok(String result) {
        return new StepOutcome(NodePhase.SUCCEEDED, null, null, result, Map.of());
    }

    @Test
    void theBodyOfTheAnswerIsTheResult() {
        web.on("/a b", 200, "grüße\n");
        assertThat(run("{'url':'$/a b?q=ü'}")).isEqualTo(ok("grüße\n"));
        assertThat(reports.hasStarted("s1")).isTrue();
        WebServer.Request request = web.requests().getFirst();
        assertThat(request.method()).isEqualTo("GET");
        assertThat(request.path()).isEqualTo("/a%20b?q=%C3%BC");
        assertThat(request.header("Idempotency-Key")).isEqualTo("s1");
        assertThat(request.header("Content-Length")).isNull();
        assertThat(request.header("Upgrade")).isNull();
        assertThat(request.body()).isEmpty();
    }

    @Test
    void methodHeadersAndBodyAreSentAsWritten() {
        web.on("/x", 201, "");
        StepOutcome end =
                run(
                        "{'url':'$/x','method':'PATCH','body':'{\\'a\\':1}','headers':[{'name':'Content-Type','value':'application/json'},"
                                + "{'name':'X-Many','value':'1'},{'name':'X-Many','value':'2'},{'name':'Content-Length','value':'7000'},"
                                + "{'name':'Authorization','valueFrom':{'secretKeyRef':{'name':'api','key':'token'}}},"
                                + "{'name':'X-Maybe','valueFrom':{'secretKeyRef':{'name':'none','key':'k','optional':true}}},"
                                + "{'name':'idempotency-key','value':'own'},{'name':'Host','value':'virtual.example'}]}"
                                        .replace("\\'", "\\\""));
        assertThat(end).isEqualTo(ok(""));
        WebServer.Request request = web.requests().getFirst();
        assertThat(request.method()).isEqualTo("PATCH");
        assertThat(request.body()).isEqualTo("{\"a\":1}");
        assertThat(request.header("Content-Type")).isEqualTo("application/json");
        assertThat(request.header("X-Many")).isEqualTo("1,2");
        assertThat(request.header("Authorization")).isEqualTo("s3cret");
        assertThat(request.header("X-Maybe")).isEmpty();
        assertThat(request.header("Idempotency-Key")).isEqualTo("own");
        assertThat(request.header("Host")).isEqualTo("virtual.example");
    }

    @Test
    void aBodyOfBytesReplacesTheText() {
        web.on("/x", 200, "y");
        run("{'url':'$/x','method':'POST','body':'text','bodyFrom':{'bytes':'aGVsbG8='}}");
        assertThat(web.requests().getFirst().body()).isEqualTo("hello");
    }

    @Test
    void aUserInTheAddressBecomesAHeaderAndShowsNowhereElse() {
        String url = "http://me:pass@127.0.0.1:" + web.port();
        StepOutcome end = run("{'url':'" + url + "/gone','timeoutSeconds':5}");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(web.requests().getFirst().header("Authorization"))
                .isEqualTo("Basic bWU6cGFzcw==");
        web.close();
        executor.start(Steps.template("s2", step("{'url':'" + url + "/x'}")));
        assertThat(reports.awaitEnd("s2").message())
                .isEqualTo("Get \"http://127.0.0.1:%d/x\": connection refused", web.port());
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 304, 404, 500})
    void anyOtherStatusThan2xxFails(int status) {
        web.on("/x", status, status == 304 ? "" : "why");
        assertThat(run("{'url':'$/x'}"))
                .isEqualTo(
                        new StepOutcome(
                                NodePhase.FAILED,
                                "received non-2xx response code: " + status,
                                null,
                                status == 304 ? "" : "why",
                                Map.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "response.statusCode == 503 | true",
                "response.statusCode in 200..299 | false",
                "response.body contains \\'busy\\' | true",
                "response.headers[\\'X-Some-Thing\\'][0] == \\'a\\' | true",
                "len(response.headers[\\'X-Some-Thing\\']) == 2 | true",
                "request.method == \\'PUT\\' && request.body == \\'ab\\' && request.url endsWith \\'/x\\' | true",
                "request.bodyBytes[1] == 98 && len(request.bodyBytes) == 2 | true",
                "request.headers[\\'A\\'][0] == \\'\\' | true",
                "jsonpath(response.body, \\'$.state\\') == \\'busy\\' | true",
            })
    void theConditionDecidesOverRequestAndResponse(String condition, boolean success) {
        web.on(
                "/x",
                (exchange, _) -> {
                    exchange.getResponseHeaders().add("x-sOME-thing", "a");
                    exchange.getResponseHeaders().add("x-sOME-thing", "b");
                    WebServer.send(exchange, 503, "{\"state\": \"busy\"}");
                });
        String text = condition.replace("\\'", "\\\"");
        executor.start(
                Steps.template(
                        "s1",
                        "{'name':'a','http':{'url':'%s','method':'PUT','body':'ab','headers':[{'name':'A','valueFrom':{'secretKeyRef':{'name':'api','key':'token'}}}],'successCondition':'%s'}}"
                                .formatted(web.url("/x"), text)));
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.message())
                .isEqualTo(
                        success
                                ? null
                                : "successCondition '%s' evaluated false"
                                        .formatted(condition.replace("\\'", "\"")));
        assertThat(end.phase()).isEqualTo(success ? NodePhase.SUCCEEDED : NodePhase.FAILED);
        assertThat(end.result()).isEqualTo("{\"state\": \"busy\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "response.statusCode",
                "nothing.there == 1",
                "response.headers.None[0] == 1",
                "1 +"
            })
    void aConditionThatGivesNoAnswerFailsTheStep(String condition) {
        web.on("/x", 200, "ok");
        StepOutcome end = run("{'url':'$/x','successCondition':'" + condition + "'}");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message())
                .startsWith("successCondition '" + condition + "' cannot be evaluated: ");
    }

    @ParameterizedTest
    @CsvSource({
        "301, POST, GET, ''",
        "302, PUT, GET, ''",
        "303, HEAD, HEAD, ''",
        "307, POST, POST, text",
        "308, PUT, PUT, text"
    })
    void redirectsAreFollowedAsGoDoes(int status, String method, String then, String body) {
        redirect("/from", status, "to?q=1");
        web.on("/to", 200, "");
        assertThat(
                        run(
                                "{'url':'$/from','method':'%s','body':'%s'}"
                                        .formatted(method, method.equals("HEAD") ? "" : "text")))
                .isEqualTo(ok(""));
        WebServer.Request last = web.requests().getLast();
        assertThat(last.path()).isEqualTo("/to?q=1");
        assertThat(last.method()).isEqualTo(then);
        assertThat(last.body()).isEqualTo(body);
        assertThat(last.header("Referer")).isEqualTo(web.url("/from"));
    }

    private void redirect(String from, int status, String to) {
        web.on(
                from,
                (exchange, _) -> {
                    exchange.getResponseHeaders().add("Location", to);
                    WebServer.send(exchange, status, "");
                });
    }

    @Test
    void redirectsWithoutEndAreGivenUp() {
        redirect("/r", 302, "/r");
        StepOutcome end = run("{'url':'$/r'}");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message())
                .isEqualTo("Get \"%s\": stopped after 10 redirects", web.url("/r"));
        assertThat(web.requests()).hasSize(11);
    }

    @Test
    void anotherHostIsToldNoSecrets() throws Exception {
        redirect("/from", 307, "http://localhost:" + web.port() + "/to");
        web.on("/to", 200, "");
        run(
                "{'url':'$/from','headers':[{'name':'Cookie','value':'c'},{'name':'X-Plain','value':'p'},"
                        + "{'name':'X-Key','valueFrom':{'secretKeyRef':{'name':'api','key':'token'}}}]}");
        assertThat(web.requests()).hasSize(2);
        assertThat(web.requests().getFirst().header("X-Key")).isEqualTo("s3cret");
        assertThat(web.requests().getLast().header("X-Key")).isNull();
        assertThat(web.requests().getLast().header("Cookie")).isNull();
        assertThat(web.requests().getLast().header("X-Plain")).isEqualTo("p");
    }

    @Test
    void anAnswerOfTheLargestSizeIsTaken() {
        web.on("/x", 200, "x".repeat(LIMIT));
        assertThat(run("{'url':'$/x'}").result()).hasSize(LIMIT);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerThatIsTooLargeFailsWithTheLimit(boolean endless) {
        web.on(
                "/x",
                (exchange, _) -> {
                    exchange.sendResponseHeaders(200, endless ? 0 : LIMIT + 1);
                    byte[] piece = new byte[endless ? 8192 : LIMIT + 1];
                    do {
                        exchange.getResponseBody().write(piece);
                    } while (endless);
                });
        StepOutcome end = run("{'url':'$/x'}");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message())
                .startsWith(
                        "Get \"%s\": the answer has more than 100000 bytes"
                                .formatted(web.url("/x")));
        assertThat(end.result()).isNull();
    }

    @Test
    void aServerThatDoesNotAnswerInTimeFailsTheStep() {
        StepOutcome end = run("{'url':'$/hold','timeoutSeconds':1}");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message())
                .isEqualTo(
                        "Get \"%s\": no answer within 1 s (http.timeoutSeconds)", web.url("/hold"));
    }

    @Test
    void aBodyThatDoesNotEndInTimeFailsTheStep() {
        web.on(
                "/x",
                (exchange, _) -> {
                    exchange.sendResponseHeaders(200, 10);
                    exchange.getResponseBody().write('a');
                    exchange.getResponseBody().flush();
                    Thread.sleep(60_000);
                });
        assertThat(run("{'url':'$/x','timeoutSeconds':1}").message()).contains("no answer within");
    }

    @Test
    void anAnswerThatBreaksOffFailsTheStep() {
        web.on(
                "/x",
                (exchange, _) -> {
                    exchange.sendResponseHeaders(200, 10);
                    exchange.getResponseBody().write('a');
                });
        StepOutcome end = run("{'url':'$/x'}");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).startsWith("Get \"" + web.url("/x") + "\": ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'url':'ftp://x/y'} | http.url 'ftp://x/y' must begin with http:// or https:// and a host",
                "{'url':'http://[x/y'} | http.url is no address",
                "{} | http.url '' must begin with",
                "{'url':'$/x','bodyFrom':{'bytes':'a'}} | http.bodyFrom.bytes is no base64",
                "{'url':'$/x','method':'A B'} | illegal method",
                "{'url':'http://no-such-host.invalid/'} | Get \"http://no-such-host.invalid/\": no such host",
                "{'url':'$/x','headers':[{'name':'A','valueFrom':{'secretKeyRef':{'name':'none','key':'k'}}}]} | http.headers A: there is no Secret none in namespace argo with a key k",
                "{'url':'$/x','headers':[{'name':'A','valueFrom':{'secretKeyRef':{'name':'api','key':'lines'}}}]} | header 'A' cannot be sent",
            })
    void whatCannotBeSentFailsWithTheReason(String http, String reason) {
        StepOutcome end = run(http);
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).contains(reason).doesNotContain("s3cret");
        assertThat(web.requests()).isEmpty();
    }

    @Test
    void onlyWhoAsksForItTrustsAnUnknownCertificate() throws Exception {
        try (WebServer secure = WebServer.secure(root)) {
            secure.on("/x", 200, "hidden");
            String url = "https://127.0.0.1:" + secure.port() + "/x";
            StepOutcome refused = run("{'url':'" + url + "'}");
            assertThat(refused.phase()).isEqualTo(NodePhase.FAILED);
            assertThat(refused.message()).startsWith("Get \"" + url + "\": ").contains("certif");
            executor.start(
                    Steps.template("s2", step("{'url':'" + url + "','insecureSkipVerify':true}")));
            assertThat(reports.awaitEnd("s2")).isEqualTo(ok("hidden"));
        }
    }
}
