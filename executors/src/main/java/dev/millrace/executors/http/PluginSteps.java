package dev.millrace.executors.http;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.executors.http.HttpCall.Field;
import dev.millrace.executors.serverside.StepWork;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Template;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Steps of plugin templates: asks the plugin of the template's name what to do, as often as it
 * wants to be asked. A call that is made again after a restart or a lost connection has the same
 * {@code Idempotency-Key}; every turn has one of its own.
 */
public final class PluginSteps implements StepWork {

    /**
     * How stubborn a call is.
     *
     * @param attempts as long as nobody answers, or the plugin says that it is busy
     * @param pause before the second attempt; it doubles
     * @param maxAnswerBytes the largest answer; the outputs in it stand in the log
     */
    public record Patience(int attempts, Duration pause, int maxAnswerBytes) {
        public static final Patience DEFAULT =
                new Patience(5, Duration.ofSeconds(1), HttpSteps.MAX_BODY_BYTES);
    }

    private static final int LONGEST_REASON = 1_000;

    private final Map<String, ExecutorPlugin> plugins;
    private final KeyValues secrets;
    private final HttpClients clients;
    private final Patience patience;

    /**
     * @param plugins by the key that stands under {@code plugin} in templates
     * @param clients closed with this
     */
    public PluginSteps(
            Map<String, ExecutorPlugin> plugins,
            KeyValues secrets,
            HttpClients clients,
            Patience patience) {
        this.plugins = new TreeMap<>(plugins);
        this.secrets = secrets;
        this.clients = clients;
        this.patience = patience;
    }

    @Override
    public boolean isFor(Template template) {
        return template.plugin() != null;
    }

    @Override
    public String describe() {
        return plugins.isEmpty()
                ? "There are no plugins (setting executorPlugins)."
                : "Plugins: " + String.join(", ", plugins.keySet()) + ".";
    }

    @Override
    public StepOutcome outOfTime() {
        return StepWork.failed(HttpSteps.DEADLINE);
    }

    @Override
    public Turn take(Order order) throws InterruptedException {
        JsonNode body = order.step().template().plugin();
        if (body == null || body.size() != 1) {
            return failed("plugin must have exactly one key");
        }
        String name = body.propertyNames().iterator().next();
        ExecutorPlugin plugin = plugins.get(name);
        if (plugin == null) {
            return failed(
                    "no plugin executed the template: there is no plugin '%s' in the setting executorPlugins; %s"
                            .formatted(
                                    name,
                                    plugins.isEmpty()
                                            ? "there are none"
                                            : "there are " + String.join(", ", plugins.keySet())));
        }
        try {
            return ask(order, name, plugin);
        } catch (StepRefusedException e) {
            return failed("plugin '%s': %s".formatted(name, e.getMessage()));
        }
    }

    private static Turn failed(String message) {
        return new Turn.Ended(StepWork.failed(message));
    }

    private Turn ask(Order order, String name, ExecutorPlugin plugin)
            throws StepRefusedException, InterruptedException {
        HttpCall call = call(order, plugin);
        Duration remaining = order.remaining();
        long end =
                System.nanoTime() + (remaining == null ? Long.MAX_VALUE / 2 : remaining.toNanos());
        for (int attempt = 1; ; attempt++) {
            long timeout = System.nanoTime() + plugin.timeout().toNanos();
            HttpCall.Answer answer =
                    call.send(
                            clients,
                            false,
                            patience.maxAnswerBytes(),
                            Math.min(end, timeout),
                            order.cancelled());
            String trouble;
            switch (answer) {
                case HttpCall.Answer.Cancelled() -> {
                    return new Turn.Cancelled();
                }
                case HttpCall.Answer.TooLarge() -> {
                    return failed(
                            "plugin '%s': the answer has more than %d bytes; let it store an artifact"
                                    .formatted(name, patience.maxAnswerBytes()));
                }
                case HttpCall.Answer.Response response when response.status() != 503 -> {
                    return read(name, response);
                }
                case HttpCall.Answer.Response response -> trouble = status(response);
                case HttpCall.Answer.None(var reason) -> trouble = reason;
                case HttpCall.Answer.OutOfTime() -> {
                    if (end - timeout <= 0) {
                        return new Turn.Ended(outOfTime());
                    }
                    trouble = "no answer within %d s".formatted(plugin.timeout().toSeconds());
                }
            }
            if (attempt >= patience.attempts()) {
                return failed(
                        "plugin '%s' at %s: %s (tried %d times)"
                                .formatted(name, call.uri(), trouble, attempt));
            }
            long nanos = patience.pause().toNanos() << Math.min(attempt - 1, 10);
            long pause = nanos + ThreadLocalRandom.current().nextLong(nanos / 5 + 1);
            if (isCancelled(order, Math.min(pause, end - System.nanoTime()))) {
                return new Turn.Cancelled();
            }
            if (end - System.nanoTime() <= 0) {
                return new Turn.Ended(outOfTime());
            }
        }
    }

    private static boolean isCancelled(Order order, long nanos) throws InterruptedException {
        try {
            order.cancelled().get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a step is cancelled without a cause", e);
        }
    }

    private HttpCall call(Order order, ExecutorPlugin plugin) throws StepRefusedException {
        StepSpec step = order.step();
        List<Field> fields = new ArrayList<>();
        fields.add(new Field("Content-Type", "application/json", false));
        String turn = order.number() == 0 ? "" : "-" + order.number();
        fields.add(new Field(RequestReader.IDEMPOTENCY_KEY, step.stepId() + turn, false));
        String token = token(plugin);
        if (token != null) {
            fields.add(new Field("Authorization", "Bearer " + token, true));
        }
        return new HttpCall(
                "POST",
                URI.create(plugin.url() + "/api/v1/template.execute"),
                fields,
                Json.mapper().writeValueAsBytes(arguments(step)));
    }

    /** What plugins of the field are told. */
    private static ObjectNode arguments(StepSpec step) {
        ObjectNode arguments = Json.object();
        arguments
                .putObject("workflow")
                .putObject("metadata")
                .put("name", step.workflow().name())
                .put("namespace", step.workflow().namespace())
                .put("uid", step.workflow().uid());
        ObjectNode template = (ObjectNode) Json.tree(step.template());
        // They are always there, and plugins take them for granted.
        for (String member : List.of("inputs", "outputs", "metadata")) {
            if (!template.has(member)) {
                template.putObject(member);
            }
        }
        arguments.set("template", template);
        return arguments;
    }

    private @Nullable String token(ExecutorPlugin plugin) throws StepRefusedException {
        Path file = plugin.tokenFile();
        if (file != null) {
            try {
                return Files.readString(file).strip();
            } catch (IOException e) {
                throw new StepRefusedException("the token file " + file + " cannot be read", e);
            }
        }
        ExecutorPlugin.TokenSecret secret = plugin.tokenSecret();
        if (secret == null) {
            return null;
        }
        return secrets.value(secret.namespace(), secret.name(), secret.key())
                .map(String::strip)
                .orElseThrow(
                        () ->
                                new StepRefusedException(
                                        "there is no Secret %s in namespace %s with a key %s"
                                                .formatted(
                                                        secret.name(),
                                                        secret.namespace(),
                                                        secret.key())));
    }

    private static Turn read(String name, HttpCall.Answer.Response response) {
        if (response.status() == 404) {
            return failed(
                    "no plugin executed the template: '%s' knows no template.execute (404)"
                            .formatted(name));
        }
        if (response.status() != 200) {
            return failed("plugin '%s': %s".formatted(name, status(response)));
        }
        return PluginAnswer.read(name, response.body());
    }

    private static String status(HttpCall.Answer.Response response) {
        String text = new String(response.body(), StandardCharsets.UTF_8).strip();
        String said = text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) : text;
        return said.isEmpty()
                ? "status " + response.status()
                : "status %d: %s".formatted(response.status(), said);
    }

    @Override
    public void close() {
        clients.close();
    }
}
