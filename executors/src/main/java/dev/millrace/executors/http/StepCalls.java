package dev.millrace.executors.http;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.HttpTemplate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Makes the call of a step, and says how the step ended. */
final class StepCalls implements AutoCloseable {
    /** What the field says of a step that is no pod and ran for too long. */
    static final String DEADLINE = "Step exceeded its deadline";

    private static final long DEFAULT_TIMEOUT_SECONDS = 30;

    private final HttpClients clients = new HttpClients();
    private final RequestReader requests;
    private final int maxBodyBytes;

    StepCalls(KeyValues secrets, int maxBodyBytes) {
        this.requests = new RequestReader(secrets);
        this.maxBodyBytes = maxBodyBytes;
    }

    /**
     * Calls and waits.
     *
     * @param remaining what is left of the step's own time; null for no limit
     * @param cancelled ends the call when it is completed
     * @return how the step ended; empty if the call was cancelled
     */
    Optional<StepOutcome> call(
            StepSpec step, @Nullable Duration remaining, CompletableFuture<?> cancelled)
            throws InterruptedException {
        HttpTemplate http = step.template().http();
        if (http == null) {
            throw new IllegalArgumentException(
                    "template " + step.template().name() + " is no http template");
        }
        Duration timeout = timeout(http);
        Duration limit =
                remaining != null && remaining.compareTo(timeout) < 0 ? remaining : timeout;
        boolean deadlineFirst = limit.compareTo(timeout) < 0;
        if (limit.isNegative() || limit.isZero()) {
            return Optional.of(failed(DEADLINE));
        }
        HttpCall call;
        try {
            call = requests.read(step, http);
        } catch (StepRefusedException e) {
            return Optional.of(failed(String.valueOf(e.getMessage())));
        }
        HttpCall.Answer answer =
                call.send(
                        clients.get(Boolean.TRUE.equals(http.insecureSkipVerify())),
                        maxBodyBytes,
                        System.nanoTime() + limit.toNanos(),
                        cancelled);
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
                                    ? failed(DEADLINE)
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
        return failed(
                "%s \"%s\": %s"
                        .formatted(
                                method.substring(0, 1)
                                        + method.substring(1).toLowerCase(Locale.ROOT),
                                call.uri(),
                                reason));
    }

    static StepOutcome failed(String message) {
        return new StepOutcome(NodePhase.FAILED, message, null, null, Map.of());
    }

    /** Ends all calls. */
    @Override
    public void close() {
        clients.close();
    }
}
