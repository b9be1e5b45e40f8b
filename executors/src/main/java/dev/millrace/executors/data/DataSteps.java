package dev.millrace.executors.data;

import dev.millrace.executors.artifact.ArtifactException;
import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.executors.serverside.StepWork;
import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.expr.ExprEvaluationException;
import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.expr.ExprSyntaxException;
import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.DataTemplate;
import dev.millrace.schemas.workflow.Template;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Steps of data templates. Clients know them as pods, so their ends have the form of a pod's: an
 * exit code, and messages that begin with the container.
 */
public final class DataSteps implements StepWork {

    /**
     * How large the data may be.
     *
     * @param files of a listing
     * @param resultBytes of the result, which stands in the log
     */
    public record Limits(int files, int resultBytes) {
        public static final Limits DEFAULT = new Limits(100_000, 1024 * 1024);
    }

    /** What the field says of a pod that ran for too long. */
    private static final String DEADLINE =
            "Pod was active on the node longer than the specified deadline";

    /** The exit code of a pod whose own program failed. */
    private static final int FAILED = 64;

    private final ArtifactStores stores;
    private final Limits limits;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * @param stores closed by whoever made them
     */
    public DataSteps(ArtifactStores stores, Limits limits) {
        this.stores = stores;
        this.limits = limits;
    }

    @Override
    public boolean isFor(Template template) {
        return template.data() != null;
    }

    @Override
    public String describe() {
        return "Listings of data templates are made by the server itself.";
    }

    @Override
    public StepOutcome outOfTime() {
        return StepWork.failed(DEADLINE);
    }

    @Override
    public Turn take(Order order) throws InterruptedException {
        DataTemplate data = order.step().template().data();
        if (data == null) {
            throw new IllegalArgumentException(
                    "template " + order.step().template().name() + " is no data template");
        }
        String namespace = order.step().workflow().namespace();
        CompletableFuture<StepOutcome> outcome = new CompletableFuture<>();
        // Stores block; in a thread of its own a listing can be left at any time.
        Future<?> listing =
                threads.submit(
                        () -> {
                            try {
                                outcome.complete(outcome(namespace, data));
                            } catch (RuntimeException | Error e) {
                                outcome.completeExceptionally(e);
                            }
                        });
        try {
            CompletableFuture<Object> first = CompletableFuture.anyOf(outcome, order.cancelled());
            if (order.remaining() == null) {
                first.get();
            } else {
                first.get(order.remaining().toNanos(), TimeUnit.NANOSECONDS);
            }
            return outcome.isDone() ? new Turn.Ended(outcome.get()) : new Turn.Cancelled();
        } catch (TimeoutException e) {
            return new Turn.Ended(outOfTime());
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "the data of step " + order.step().stepId() + " could not be processed",
                    e.getCause());
        } finally {
            listing.cancel(true);
        }
    }

    private StepOutcome outcome(String namespace, DataTemplate data) {
        try {
            String result = json(transformed(listed(namespace, data), data));
            int bytes = result.getBytes(StandardCharsets.UTF_8).length;
            return bytes > limits.resultBytes()
                    ? failed(
                            "the result has %d bytes, but no more than %d can be kept; let the transformation leave out more, or name a folder further down"
                                    .formatted(bytes, limits.resultBytes()))
                    : new StepOutcome(NodePhase.SUCCEEDED, null, 0, result, Map.of());
        } catch (DataException e) {
            return failed(String.valueOf(e.getMessage()));
        }
    }

    private static String json(@Nullable Object value) throws DataException {
        try {
            return value instanceof String text ? GoJson.quote(text) : ExprProgram.render(value);
        } catch (IllegalArgumentException e) {
            throw new DataException("the result has no JSON form: " + e.getMessage());
        }
    }

    private static StepOutcome failed(String why) {
        return new StepOutcome(
                NodePhase.FAILED,
                "main: Error (exit code %d): unable to process data template: %s"
                        .formatted(FAILED, why),
                FAILED,
                null,
                Map.of());
    }

    private List<String> listed(String namespace, DataTemplate data) throws DataException {
        Artifact paths = data.source() == null ? null : data.source().artifactPaths();
        if (paths == null) {
            throw new DataException(
                    "unable to process data source: no valid source is used for data template");
        }
        try {
            return stores.list(namespace, paths, limits.files());
        } catch (ArtifactException e) {
            throw new DataException(
                    "unable to process data source: unable to source artifact paths: "
                            + e.reason());
        }
    }

    private static @Nullable Object transformed(List<String> listed, DataTemplate data)
            throws DataException {
        Object value = listed;
        List<DataTemplate.TransformationStep> steps = data.transformation();
        for (int i = 0; i < steps.size(); i++) {
            String expression = steps.get(i).expression();
            if (expression == null || expression.isEmpty()) {
                continue;
            }
            try {
                value =
                        ExprProgram.compile(expression, ExprOptions.workflows())
                                .evaluate(Environment.of(Collections.singletonMap("data", value)));
            } catch (ExprSyntaxException | ExprEvaluationException e) {
                throw new DataException(
                        "unable to process data transformation: error processing data step %d: %s"
                                .formatted(i, e.getMessage()));
            }
        }
        return value;
    }

    private static final class DataException extends Exception {
        private static final long serialVersionUID = 1L;

        DataException(String message) {
            super(message);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
