package dev.millrace.server.api;

import dev.millrace.eventsources.webhook.UnreadBodies;
import dev.millrace.eventsources.webhook.WebhookDispatcher;
import dev.millrace.executors.LogStore;
import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.log.embedded.DiskFullException;
import dev.millrace.log.embedded.DiskSpace;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.server.Readiness;
import dev.millrace.server.command.FromTemplate;
import dev.millrace.server.command.PostedEvents;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.command.RefusedException.Code;
import dev.millrace.server.command.WorkflowCommands;
import dev.millrace.server.command.WorkflowSubmission;
import dev.millrace.server.configuration.ConfigurationException;
import dev.millrace.server.history.WorkflowHistory;
import dev.millrace.server.manifests.Application;
import dev.millrace.server.manifests.ManifestStore;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.WorkflowChanges;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.RequestLogger;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The web server: guards what comes in, hands it to the routes, turns exceptions into answers. */
public final class ApiServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final Set<String> FREES_OR_READS = Set.of("lint", "stop", "terminate");

    /**
     * Where and for whom the server listens.
     *
     * @param bind address to listen on
     * @param port 0 takes a free one
     * @param hosts further names that it answers to
     * @param token demanded of everybody, null where only this machine can come
     * @param maxBodyBytes largest body of a request
     */
    public record Access(
            String bind, int port, Set<String> hosts, @Nullable String token, long maxBodyBytes) {}

    /** What the routes speak to. */
    public record Services(
            String version,
            ReadModel model,
            WorkflowHistory history,
            WorkflowChanges changes,
            WorkflowCommands commands,
            WorkflowSubmission submission,
            FromTemplate fromTemplate,
            ManifestStore manifests,
            Application application,
            LogStore logs,
            ArtifactStores artifacts,
            WebhookDispatcher webhooks,
            PostedEvents postedEvents,
            Readiness readiness,
            PrometheusMeterRegistry meters,
            DiskSpace disk,
            InstantSource clock,
            UnaryOperator<String> redact) {}

    private final Services services;
    private final LocalAccess access;
    private final OpenStreams streams = new OpenStreams();
    private final Javalin javalin;

    private ApiServer(Access access, Services services) {
        this.services = services;
        this.access = new LocalAccess(access.hosts(), access.token());
        this.javalin = Javalin.create(config -> configure(config, access));
        services.meters().gauge("millrace.api.streams", streams, OpenStreams::count);
    }

    /**
     * Starts to listen. What it was given stays with the caller.
     *
     * @throws PortInUseException if the port is taken
     */
    public static ApiServer start(Access access, Services services) {
        ApiServer server = new ApiServer(access, services);
        try {
            server.javalin.start(access.bind(), access.port());
        } catch (RuntimeException e) {
            for (Throwable t = e; t != null; t = t.getCause()) {
                if (t instanceof BindException) {
                    throw new PortInUseException(access.bind(), access.port(), e);
                }
            }
            throw e;
        }
        return server;
    }

    /**
     * Tries whether {@link #start} could listen, before anything else is started.
     *
     * @throws PortInUseException if the port is taken
     * @throws ConfigurationException if the address is none of this machine
     */
    public static void tryToListen(String bind, int port) {
        InetAddress address;
        try {
            address = InetAddress.getByName(bind);
            if (!address.isAnyLocalAddress()
                    && !address.isLoopbackAddress()
                    && NetworkInterface.getByInetAddress(address) == null) {
                throw new ConfigurationException(
                        "bind: %s is no address of this machine. Write one that it has, or 0.0.0.0 for all"
                                .formatted(bind));
            }
        } catch (UnknownHostException e) {
            throw new ConfigurationException(
                    "bind: there is no host '%s'. Write an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all"
                            .formatted(bind));
        } catch (SocketException e) {
            throw new ConfigurationException(
                    "bind: the addresses of this machine cannot be read: " + e.getMessage());
        }
        try (ServerSocket trial = new ServerSocket()) {
            trial.bind(new InetSocketAddress(address, port));
        } catch (IOException e) {
            throw new PortInUseException(bind, port, e);
        }
    }

    /** The port it listens on. */
    public int port() {
        return javalin.port();
    }

    /** Ends all streams, answers what is in flight, and stops. */
    @Override
    public void close() {
        streams.close();
        javalin.stop();
    }

    private void configure(JavalinConfig config, Access access) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.concurrency.useVirtualThreads = true;
        config.http.maxRequestSize = access.maxBodyBytes();
        config.http.prefer405over404 = true;
        // The path /api/v1/workflows/ is the list of all namespaces.
        config.router.ignoreTrailingSlashes = true;
        config.jetty.modifyServer(
                server -> {
                    server.setStopTimeout(5_000);
                    server.insertHandler(new UnreadBodies());
                });
        RequestLogger timer =
                (ctx, millis) ->
                        services.meters()
                                .timer(
                                        "millrace.api.requests",
                                        "method",
                                        ctx.method().name(),
                                        "status",
                                        Integer.toString(ctx.statusCode()))
                                .record(
                                        millis.longValue(),
                                        java.util.concurrent.TimeUnit.MILLISECONDS);
        config.requestLogger.http(timer);
        routes(config.routes);
    }

    private void routes(RoutesConfig routes) {
        routes.before(this::guard);
        new WorkflowRoutes(
                        services.model(),
                        services.changes(),
                        services.commands(),
                        services.submission(),
                        services.fromTemplate(),
                        services.logs(),
                        services.clock(),
                        streams,
                        services.redact())
                .register(routes);
        for (DefinitionRoutes definitions :
                List.of(
                        definitions(Kind.WORKFLOW_TEMPLATE, "workflow-templates", "template"),
                        definitions(
                                Kind.CLUSTER_WORKFLOW_TEMPLATE,
                                "cluster-workflow-templates",
                                "template"),
                        definitions(Kind.CRON_WORKFLOW, "cron-workflows", "cronWorkflow"),
                        definitions(
                                Kind.WORKFLOW_EVENT_BINDING,
                                "workflow-event-bindings",
                                "workflowEventBinding"),
                        definitions(Kind.EVENT_SOURCE, "event-sources", "eventSource"),
                        definitions(Kind.SENSOR, "sensors", "sensor"))) {
            definitions.register(routes);
        }
        new ManifestRoutes(services.application(), services.manifests()).register(routes);
        new SyncRoutes(services.manifests()).register(routes);
        new EventRoutes(services.model()).register(routes);
        new HistoryRoutes(services.model(), services.history(), services.clock()).register(routes);
        new ArtifactRoutes(services.model(), services.artifacts(), services.redact())
                .register(routes);
        new WebhookRoutes(services.webhooks()).register(routes);
        new PostedEventRoutes(services.postedEvents()).register(routes);
        new ServerRoutes(
                        services.version(),
                        services.readiness(),
                        services.meters(),
                        services.model(),
                        services.clock(),
                        services.submission().plugins())
                .register(routes);
        routes.exception(
                RefusedException.class, (e, ctx) -> ErrorBody.answer(ctx, e, services.redact()));
        routes.exception(
                DiskFullException.class,
                (e, ctx) ->
                        ErrorBody.answer(
                                ctx,
                                507,
                                Code.RESOURCE_EXHAUSTED,
                                String.valueOf(e.getMessage()),
                                services.redact()));
        routes.exception(HttpResponseException.class, this::webServerError);
        routes.exception(Exception.class, this::unexpected);
    }

    private DefinitionRoutes definitions(Kind kind, String plural, String member) {
        return new DefinitionRoutes(
                kind,
                plural,
                member,
                services.manifests(),
                services.submission(),
                services.model());
    }

    private void guard(Context ctx) {
        ctx.header("Grpc-Metadata-Argo-Version", ServerRoutes.COMPATIBLE_VERSION);
        ctx.header("X-Content-Type-Options", "nosniff");
        LocalAccess.Refusal refusal = access.check(ctx);
        if (refusal != null) {
            ErrorBody.answer(
                    ctx,
                    refusal.status(),
                    ErrorBody.code(refusal.status()),
                    refusal.message(),
                    services.redact());
            ctx.skipRemainingHandlers();
            return;
        }
        String method = ctx.method().name();
        String last = ctx.path().substring(ctx.path().lastIndexOf('/') + 1);
        boolean writes =
                (method.equals("POST") || method.equals("PUT")) && !FREES_OR_READS.contains(last);
        // Webhook entries look for themselves.
        if (writes && !ctx.path().startsWith("/webhooks/")) {
            services.disk().check();
        }
    }

    private void webServerError(HttpResponseException e, Context ctx) {
        String message =
                switch (e.getStatus()) {
                    case 404 ->
                            "nothing is at "
                                    + ctx.path()
                                    + "; what there is stands in docs/reference/rest.md";
                    case 405 -> ctx.method().name() + " is not possible at " + ctx.path();
                    case 413 ->
                            "the body is larger than the setting maxBody allows; send less, or raise it (in millrace.yaml, or MILLRACE_MAX_BODY)";
                    default -> String.valueOf(e.getMessage());
                };
        ErrorBody.answer(
                ctx, e.getStatus(), ErrorBody.code(e.getStatus()), message, services.redact());
    }

    private void unexpected(Exception e, Context ctx) {
        String reference = java.util.UUID.randomUUID().toString().substring(0, 8);
        LOG.error("{} {} failed (reference {})", ctx.method().name(), ctx.path(), reference, e);
        ErrorBody.answer(
                ctx,
                Code.INTERNAL,
                "an unexpected error; the log of the server has the details under reference "
                        + reference,
                services.redact());
    }
}
