package dev.millrace.server;

import ch.qos.logback.core.Context;
import dev.millrace.eventsources.EventSourcePorts;
import dev.millrace.eventsources.EventSourceRuntime;
import dev.millrace.executors.KeyValues;
import dev.millrace.executors.StepWorker;
import dev.millrace.executors.process.FileLogStore;
import dev.millrace.executors.process.ProcessExecutor;
import dev.millrace.executors.process.ProcessSettings;
import dev.millrace.log.DeadLetters;
import dev.millrace.log.LogConnection;
import dev.millrace.log.StatusLog;
import dev.millrace.log.embedded.DataFolder;
import dev.millrace.log.embedded.DiskSpace;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.log.secrets.FileSecrets;
import dev.millrace.log.secrets.ManifestConfigMaps;
import dev.millrace.log.secrets.RedactingLayout;
import dev.millrace.log.secrets.Redactor;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.Producers.Patience;
import dev.millrace.sensors.joining.Joiner;
import dev.millrace.sensors.matching.MatchWorker;
import dev.millrace.server.api.ApiServer;
import dev.millrace.server.command.ActivationSubmitter;
import dev.millrace.server.command.FromTemplate;
import dev.millrace.server.command.StoredTemplates;
import dev.millrace.server.command.WorkflowSubmission;
import dev.millrace.server.command.WorkflowCommands;
import dev.millrace.server.command.WorkflowValidation;
import dev.millrace.server.configuration.Configuration;
import dev.millrace.server.manifests.Application;
import dev.millrace.server.manifests.DefinitionsFolder;
import dev.millrace.server.manifests.ManifestStore;
import dev.millrace.server.readmodel.Projector;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.Retention;
import dev.millrace.server.readmodel.WorkflowChanges;
import dev.millrace.triggers.action.ActionRunner;
import dev.millrace.triggers.action.HttpExecutor;
import dev.millrace.triggers.action.LogExecutor;
import dev.millrace.triggers.action.WorkflowExecutor;
import dev.millrace.triggers.dispatch.Dispatcher;
import dev.millrace.triggers.dispatch.RetryTimers;
import dev.millrace.workflowengine.topology.EngineOptions;
import dev.millrace.workflowengine.topology.WorkflowEngine;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.LoggerFactory;

/** The composition root: every role of an installation in one process, from top to bottom as they depend on each other. */
public final class MillraceServer implements AutoCloseable {

    static final String READ_MODEL = "read-model.db";

    /** How long a request waits for the engine. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ClosingStack parts;
    private final Readiness readiness;
    private final Configuration configuration;
    private final ApiServer api;
    private final String executor;

    private MillraceServer(
            ClosingStack parts, Readiness readiness, Configuration configuration, ApiServer api, String executor) {
        this.parts = parts;
        this.readiness = readiness;
        this.configuration = configuration;
        this.api = api;
        this.executor = executor;
    }

    /**
     * Starts everything; returns when the API answers and the read model holds what the log held.
     *
     * @param say hears, in one line each, what a person should know: definitions applied, refused, left out
     * @throws dev.millrace.log.embedded.DataFolderInUseException if another process has the data folder
     * @throws dev.millrace.server.api.PortInUseException if the port of the API is taken
     * @throws dev.millrace.log.embedded.BrokerStartException if the broker cannot be started
     */
    public static MillraceServer start(Configuration configuration, Consumer<String> say) {
        ClosingStack parts = new ClosingStack();
        try (ExecutorService atOnce = Executors.newVirtualThreadPerTaskExecutor()) {
            return start(configuration, say, parts, atOnce);
        } catch (RuntimeException e) {
            parts.close();
            throw e;
        }
    }

    private static MillraceServer start(
            Configuration configuration, Consumer<String> say, ClosingStack parts, ExecutorService atOnce) {
        InstantSource clock = InstantSource.system();
        Readiness readiness = new Readiness();
        DataFolder data = parts.add("data folder", DataFolder.claim(configuration.data()));
        Redactor redactor = new Redactor();
        if (LoggerFactory.getILoggerFactory() instanceof Context logging) {
            RedactingLayout.install(logging, redactor);
        }
        FileSecrets secrets = new FileSecrets(data.path().resolve("secrets"), redactor);
        DiskSpace disk = new DiskSpace(data.path(), configuration.minimumFreeBytes());
        PrometheusMeterRegistry meters = Metrics.registry(disk);

        LogPart log = parts.add("broker", LogPart.start(data, configuration));
        LogConnection connection = log.connection();
        var answering = parts.add("producer", Producers.plain(connection, "server", Patience.ANSWER));
        var patient = parts.add("producer", Producers.plain(connection, "server-late", Patience.NEVER_GIVES_UP));
        DeadLetters deadLetters = new DeadLetters(patient, redactor::redact);

        ManifestLog manifests = parts.add("manifests", ManifestLog.start(connection, answering));
        ManifestConfigMaps configMaps = new ManifestConfigMaps(manifests);
        ReadModel model = parts.add("read model", ReadModel.open(data.path().resolve(READ_MODEL), log.id()));
        WorkflowChanges changes = new WorkflowChanges();
        Projector projector = parts.add("projector", Projector.start(connection, model, changes));
        parts.add("retention", Retention.start(model, clock, configuration.eventRetention()));

        // Each of these asks Kafka several things before it runs; at once they take as long as one.
        Path streams = data.folder("streams");
        Path steps = data.folder("steps");
        var engine =
                CompletableFuture.supplyAsync(
                        () ->
                                parts.add(
                                        "engine",
                                        WorkflowEngine.start(
                                                connection,
                                                streams,
                                                EngineOptions.DEFAULT.withMeter(Metrics.engineMeter(meters)))),
                        atOnce);
        var joiner = CompletableFuture.supplyAsync(() -> parts.add("joiner", Joiner.start(connection, streams)), atOnce);
        var timers =
                CompletableFuture.supplyAsync(
                        () -> parts.add("retry timers", RetryTimers.start(connection, streams)), atOnce);
        ProcessExecutor executor =
                new ProcessExecutor(
                        settings(configuration, steps), KeyValues.of(secrets), KeyValues.of(configMaps), clock);
        StepWorker worker = StepWorker.start(connection, executor, deadLetters);
        parts.add("steps", () -> worker.close(configuration.keepSteps()));

        ManifestStore store = new ManifestStore(manifests, secrets, clock);
        StoredTemplates templates = new StoredTemplates(manifests);
        WorkflowValidation validation = (_, _, _) -> List.of();
        WorkflowSubmission submission = new WorkflowSubmission(store, templates, validation);
        WorkflowCommands commands = new WorkflowCommands(answering, changes, PATIENCE);
        Application application = new Application(store, templates, validation);

        EventSourceRuntime sources =
                parts.add(
                        "event sources",
                        EventSourceRuntime.start(
                                new EventSourcePorts(
                                        connection,
                                        answering,
                                        new StatusLog(patient),
                                        secrets,
                                        disk,
                                        meters,
                                        clock,
                                        redactor::redact,
                                        configuration.webhookBind())));
        CompletableFuture.allOf(engine, joiner, timers, manifests.caughtUp(), projector.caughtUp()).join();
        MatchWorker matcher = parts.add("matcher", matcher(connection, manifests, patient, deadLetters, clock));
        WorkflowExecutor workflows =
                new WorkflowExecutor(new ActivationSubmitter(submission, commands, model, store), configMaps);
        HttpExecutor http = parts.add("HTTP triggers", new HttpExecutor(secrets, configMaps));
        Dispatcher dispatcher =
                parts.add(
                        "dispatcher",
                        Dispatcher.start(
                                connection,
                                new ActionRunner(http, workflows, workflows.k8s(), new LogExecutor()),
                                patient,
                                deadLetters,
                                redactor::redact,
                                clock));
        manifests.subscribe(sources);

        readiness.add("manifests", manifests::health);
        readiness.add("read-model", projector::health);
        readiness.add("workflow-engine", engine.join()::health);
        readiness.add("joiner", joiner.join()::health);
        readiness.add("retry-timers", timers.join()::health);
        readiness.add("executor", worker::health);
        readiness.add("matcher", matcher::health);
        readiness.add("dispatcher", dispatcher::health);
        Metrics.readiness(meters, readiness);
        Metrics.engine(meters, engine.join());

        ApiServer api =
                parts.add(
                        "API",
                        ApiServer.start(
                                new ApiServer.Access(
                                        configuration.bind(),
                                        configuration.port(),
                                        configuration.hosts(),
                                        configuration.isLoopback() ? null : AccessToken.of(data.path()),
                                        configuration.maxBodyBytes()),
                                new ApiServer.Services(
                                        version(),
                                        model,
                                        changes,
                                        commands,
                                        submission,
                                        new FromTemplate(store),
                                        store,
                                        application,
                                        new FileLogStore(steps),
                                        sources.webhooks(),
                                        readiness,
                                        meters,
                                        disk,
                                        clock,
                                        redactor::redact)));
        Path definitions = configuration.definitions();
        if (definitions != null) {
            parts.add(
                    "definitions",
                    DefinitionsFolder.start(
                            definitions, data.path().resolve("definitions"), application, store, say));
        }
        return new MillraceServer(parts, readiness, configuration, api, executor.describe());
    }

    /** Where the API is. */
    public URI apiAddress() {
        String host = configuration.isLoopback() ? "localhost" : configuration.bind();
        return URI.create("http://" + (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + api.port());
    }

    /** How the parts are doing. */
    public Readiness readiness() {
        return readiness;
    }

    /** What a person should know about how steps run here; the first line is a summary. */
    public String executor() {
        return executor;
    }

    /** Stops everything, in the reverse order; running steps are ended unless they are to be kept. */
    @Override
    public void close() {
        parts.close();
    }

    private static ProcessSettings settings(Configuration configuration, Path steps) {
        ProcessSettings settings = ProcessSettings.of(steps);
        return settings.withIsolation(configuration.isolation())
                .withParallelism(configuration.parallelism())
                .withImages(settings.images().with(configuration.images()));
    }

    private static MatchWorker matcher(
            LogConnection log,
            ManifestLog manifests,
            Producer<String, byte[]> producer,
            DeadLetters deadLetters,
            InstantSource clock) {
        try {
            return MatchWorker.start(log, manifests, producer, deadLetters, clock);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the matcher starts", e);
        }
    }

    private static String version() {
        String version = MillraceServer.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
