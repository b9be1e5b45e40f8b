package dev.millrace.executors.http;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.executors.serverside.StepWork;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.workflow.HttpTemplate;
import dev.millrace.schemas.workflow.Template;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Steps of http templates: makes the call, and says how the step ended. A call that is made again
 * has the same {@code Idempotency-Key}.
 */
public final class HttpSteps implements StepWork {
    /**
     * The largest answer by default: it becomes the result of the step, which stands in the log.
     */
    public static final int MAX_BODY_BYTES = 1024 * 1024;

    /** What the field says of a step that is no pod and ran for too long. */
    static final String DEADLINE = "Step exceeded its deadline";

    private static final long DEFAULT_TIMEOUT_SECONDS = 30;

    private final HttpClients clients;
    private final RequestReader requests;
    private final int maxBodyBytes;

    /**
     * @param clients closed with this
     * @param maxBodyBytes the largest answer
     */
    public HttpSteps(KeyValues secrets, HttpClients clients, int maxBodyBytes) {
        this.clients = clients;
        this.requests = new RequestReader(secrets);
        this.maxBodyBytes = maxBodyBytes;
    }

    @Override
    public boolean isFor(Template template) {
        return template.http() != null;
    }

    @Override
    public String describe() {
        return "Calls of http templates are made by the server itself.";
    }

    @Override
    public StepOutcome outOfTime() {
        return StepWork.failed(DEADLINE);
    }

    @Override
    public Turn take(Order order) throws InterruptedException {
        HttpTemplate http = order.step().template().http();
        if (http == null) {
            throw new IllegalArgumentException(
                    "template " + order.step().template().name() + " is no http template");
        }
        return call(order, http).<Turn>map(Turn.Ended::new).orElseGet(Turn.Cancelled::new);
    }

    /** How the step ended; empty if the call was cancelled. */
    private Optional<StepOutcome> call(Order order, HttpTemplate http) throws InterruptedException {
        Duration remaining = order.remaining();
        Duration timeout = timeout(http);
        Duration limit =
                remaining != null && remaining.compareTo(timeout) < 0 ? remaining : timeout;
        boolean deadlineFirst = limit.compareTo(timeout) < 0;
        HttpCall call;
        try {
            call = requests.read(order.step(), http);
        } catch (StepRefusedException e) {
            return Optional.of(StepWork.failed(String.valueOf(e.getMessage())));
        }
        HttpCall.Answer answer =
                call.send(
                        clients,
                        Boolean.TRUE.equals(http.insecureSkipVerify()),
                        maxBodyBytes,
                        System.nanoTime() + limit.toNanos(),
                        order.cancelled());
        return switch (answer) {
            case HttpCall.Answer.Response response -> Optional.of(judged(http, response));
            case HttpCall.Answer.None(String reason) -> Optional.of(failed(call, reason));
            case HttpCall.Answer.TooLarge() ->
                    Optional.of(
                            failed(
                                    call,
                                    "the answer has more than %d bytes, which is the most that a result can have; let a container fetch it, or an http artifact"
                                            .formatted(maxBodyBytes)));
            case HttpCall.Answer.OutOfTime() ->
                    Optional.of(
                            deadlineFirst
                                    ? outOfTime()
                                    : failed(
                                            call,
                                            "no answer within %d s (http.timeoutSeconds)"
                                                    .formatted(timeout.toSeconds())));
            case HttpCall.Answer.Cancelled() -> Optional.empty();
        };
    }

    private static Duration timeout(HttpTemplate http) {
        Long seconds = http.timeoutSeconds();
        return Duration.ofSeconds(
                seconds == null || seconds <= 0
                        ? DEFAULT_TIMEOUT_SECONDS
                        : Math.min(seconds, Duration.ofDays(365).toSeconds()));
    }

    private static StepOutcome judged(HttpTemplate http, HttpCall.Answer.Response response) {
        String text = new String(response.body(), StandardCharsets.UTF_8);
        Optional<String> problem = SuccessCondition.problem(http, response, text);
        return new StepOutcome(
                problem.isEmpty() ? NodePhase.SUCCEEDED : NodePhase.FAILED,
                problem.orElse(null),
                null,
                text,
                Map.of());
    }

    /** In the form of Go's client: {@code Get "http://host/": connection refused}. */
    private static StepOutcome failed(HttpCall call, String reason) {
        String method = call.method();
        return StepWork.failed(
                "%s \"%s\": %s"
                        .formatted(
                                method.substring(0, 1)
                                        + method.substring(1).toLowerCase(Locale.ROOT),
                                call.uri(),
                                reason));
    }

    /** Ends all calls. */
    @Override
    public void close() {
        clients.close();
    }
}
