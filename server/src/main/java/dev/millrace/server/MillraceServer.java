package dev.millrace.server;

import dev.millrace.log.ClosingGroup;
import dev.millrace.server.api.ApiServer;
import dev.millrace.server.command.ActivationSubmitter;
import dev.millrace.server.command.ArtifactRepositories;
import dev.millrace.server.command.CronSubmitter;
import dev.millrace.server.command.FromTemplate;
import dev.millrace.server.command.PostedEvents;
import dev.millrace.server.command.StoredConfigMaps;
import dev.millrace.server.command.StoredTemplates;
import dev.millrace.server.command.WorkflowCommands;
import dev.millrace.server.command.WorkflowRetention;
import dev.millrace.server.command.WorkflowSubmission;
import dev.millrace.server.configuration.Configuration;
import dev.millrace.server.history.WorkflowHistory;
import dev.millrace.server.manifests.Application;
import dev.millrace.server.manifests.DefinitionsFolder;
import dev.millrace.server.manifests.ManifestStore;
import dev.millrace.server.readmodel.Estimates;
import dev.millrace.server.readmodel.EventAnswers;
import dev.millrace.server.readmodel.Projector;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.Retention;
import dev.millrace.server.readmodel.WorkflowChanges;
import dev.millrace.workflowengine.cron.topology.CronEngine;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * The composition root: every role of an installation in one process, from top to bottom as they
 * depend on each other.
 */
public final class MillraceServer implements AutoCloseable {

    /** File of the read model in the data folder. */
    static final String READ_MODEL = "read-model.db";

    /** How long a request waits for the engine. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ClosingStack parts;
    private final Foundation base;
    private final WorkflowLoop workflows;
    private final ApiServer api;

    private MillraceServer(
            ClosingStack parts, Foundation base, WorkflowLoop workflows, ApiServer api) {
        this.parts = parts;
        this.base = base;
        this.workflows = workflows;
        this.api = api;
    }

    /**
     * Starts everything; returns when the API answers and the read model holds what the log held.
     *
     * @param say hears, in one line each, what a person should know: definitions applied, refused,
     *     left out
     * @throws dev.millrace.log.embedded.DataFolderInUseException if another process has the data
     *     folder
     * @throws dev.millrace.server.configuration.ConfigurationException if an address to listen on
     *     is none of this machine
     * @throws dev.millrace.server.api.PortInUseException if the port of the API is taken
     * @throws dev.millrace.log.embedded.BrokerStartException if the broker cannot be started
     */
    public static MillraceServer start(Configuration configuration, Consumer<String> say) {
        ClosingStack parts = new ClosingStack();
        // Platform threads: these load classes, which pins a virtual thread to its carrier, and two
        // on two carriers that wait for each other's class would wait for ever.
        try (ExecutorService atOnce = Executors.newCachedThreadPool()) {
            return start(configuration, say, parts, atOnce);
        } catch (CompletionException e) {
            parts.close();
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        } catch (RuntimeException | Error e) {
            parts.close();
            throw e;
        }
    }

    private static MillraceServer start(
            Configuration configuration,
            Consumer<String> say,
            ClosingStack parts,
            ExecutorService atOnce) {
        ApiServer.tryToListen(configuration.bind(), configuration.port());
        ApiServer.tryToListen(configuration.webhookBind(), 0);
        Foundation base = Foundation.start(configuration, parts);
        base.disk().shortage().ifPresent(why -> say.accept("Nothing new is accepted: " + why));
        Path data = base.data().path();

        ReadModel model =
                parts.add("read model", ReadModel.open(data.resolve(READ_MODEL), base.logId()));
        WorkflowChanges changes = new WorkflowChanges();
        EventAnswers answers = new EventAnswers();
        Projector projector =
                parts.add("projector", Projector.start(base.log(), model, changes, answers));
        // The loops stop at the same time; then what they use; then who watches what they write.
        ClosingGroup resources = parts.add("what the loops use", new ClosingGroup());
        ClosingGroup loops = parts.add("loops", new ClosingGroup());
        base.readiness().add("read-model", projector::health);
        parts.add(
                "retention", Retention.start(model, base.clock(), configuration.eventRetention()));
        var workflows =
                CompletableFuture.supplyAsync(
                        () -> WorkflowLoop.start(base, loops, resources), atOnce);

        ManifestStore manifests = new ManifestStore(base.manifests(), base.secrets(), base.clock());
        StoredTemplates templates = new StoredTemplates(base.manifests());
        WorkflowSubmission submission =
                new WorkflowSubmission(
                        manifests,
                        templates,
                        new StoredConfigMaps(base.manifests()),
                        new ArtifactRepositories(
                                base.manifests(), configuration.artifactRepository()),
                        configuration.workflowDefaults(),
                        new Estimates(model),
                        configuration.executorPlugins().keySet());
        WorkflowCommands commands = new WorkflowCommands(base.answering(), changes, PATIENCE);
        Application application = new Application(manifests, templates, submission.plugins());

        FromTemplate fromTemplate = new FromTemplate(manifests, base.clock());

        CompletableFuture.allOf(base.manifests().caughtUp(), projector.caughtUp()).join();
        var crons =
                CompletableFuture.supplyAsync(
                        () -> crons(base, loops, new CronSubmitter(submission, commands)), atOnce);
        EventLoop events =
                EventLoop.start(
                        base,
                        loops,
                        resources,
                        new ActivationSubmitter(
                                submission, commands, model, manifests, fromTemplate),
                        atOnce);
        WorkflowLoop loop = workflows.join();
        CronEngine cron = crons.join();
        if (!configuration.retentionPolicy().most().isEmpty()) {
            parts.add(
                    "workflow retention",
                    WorkflowRetention.start(
                            configuration.retentionPolicy(), model, commands, changes));
        }
        base.readiness().add("cron", cron::health);
        base.readiness().add("cron-orders", cron::workerHealth);
        Metrics.readiness(base.meters(), base.readiness());

        ApiServer api =
                ApiServer.start(
                        access(configuration, data),
                        new ApiServer.Services(
                                version(),
                                model,
                                new WorkflowHistory(base.log()),
                                changes,
                                commands,
                                submission,
                                fromTemplate,
                                manifests,
                                application,
                                loop.logs(),
                                loop.artifacts(),
                                events.webhooks(),
                                new PostedEvents(
                                        base.answering(), answers, model, PATIENCE, base.clock()),
                                base.readiness(),
                                base.meters(),
                                base.disk(),
                                base.clock(),
                                base.redactor()::redact));
        parts.add("API", api);
        Path definitions = configuration.definitions();
        if (definitions != null) {
            parts.add(
                    "definitions",
                    DefinitionsFolder.start(
                            definitions, data.resolve("definitions"), application, manifests, say));
        }
        return new MillraceServer(parts, base, loop, api);
    }

    private static CronEngine crons(Foundation base, ClosingGroup loops, CronSubmitter submitter) {
        return loops.add(
                "cron",
                CronEngine.start(
                        base.log(),
                        base.data().folder("streams"),
                        submitter,
                        base.patient(),
                        base.deadLetters(),
                        Metrics.cronMeter(base.meters())));
    }

    /** Where the API is. */
    public URI apiAddress() {
        Configuration configuration = base.configuration();
        String host = configuration.isLoopback() ? "localhost" : configuration.bind();
        boolean bare = host.contains(":") && !host.startsWith("[");
        return URI.create("http://" + (bare ? "[" + host + "]" : host) + ":" + api.port());
    }

    /** How the parts are doing. */
    public Readiness readiness() {
        return base.readiness();
    }

    /** What a person should know about how steps run here; the first line is a summary. */
    public String executor() {
        return workflows.executor();
    }

    /**
     * Stops everything, what was started last first; running steps are ended unless they are to be
     * kept.
     */
    @Override
    public void close() {
        parts.close();
    }

    /** Beyond this machine nobody comes in without the token. */
    private static ApiServer.Access access(Configuration configuration, Path data) {
        return new ApiServer.Access(
                configuration.bind(),
                configuration.port(),
                configuration.hosts(),
                configuration.isLoopback() ? null : AccessToken.of(data),
                configuration.maxBodyBytes());
    }

    private static String version() {
        String version = MillraceServer.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
