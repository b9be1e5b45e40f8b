package dev.millrace.server.manifests;

import dev.millrace.log.ManifestKey;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.log.plain.ManifestLog.Stored;
import dev.millrace.log.secrets.SecretStore;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.Secret;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.command.RefusedException.Code;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts manifests where they belong: definitions into the log, secrets into the secret store and
 * never into the log. A write returns when this process sees it.
 */
public final class ManifestStore {

    private static final long PATIENCE_SECONDS = 10;

    /** What an apply did. */
    public enum Outcome {
        CREATED,
        CONFIGURED,
        UNCHANGED;

        /** As {@code kubectl} says it. */
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    private final ManifestLog log;
    private final SecretStore secrets;
    private final InstantSource clock;
    private final AtomicLong lastWrite = new AtomicLong(-1);

    public ManifestStore(ManifestLog log, SecretStore secrets, InstantSource clock) {
        this.log = log;
        this.secrets = secrets;
        this.clock = clock;
    }

    /** One manifest as it stands; secrets are not among them. */
    public Optional<Stored> find(Kind kind, String namespace, String name) {
        return log.find(new ManifestKey(kind.yamlName(), namespace, name));
    }

    /** All of a kind in a namespace, or everywhere if that is empty. */
    public List<Stored> list(Kind kind, String namespace) {
        return namespace.isEmpty()
                ? log.list(kind.yamlName())
                : log.list(kind.yamlName(), namespace);
    }

    /** The time by which this store works. */
    public Instant now() {
        return clock.instant();
    }

    /** Everything up to here is in what {@link #find} reads. */
    public long version() {
        return log.nextVersion();
    }

    /**
     * Creates or changes an object.
     *
     * @param manifest checked already; one that says {@code generateName} needs a name first
     */
    public synchronized Outcome apply(Manifest manifest) {
        String name = manifest.name();
        if (name == null || name.isEmpty()) {
            throw RefusedException.invalid(
                    "metadata.name: a "
                            + manifest.kind()
                            + " is applied by its name; write one instead of generateName");
        }
        return switch (manifest.kind()) {
            case SECRET -> putSecret(manifest, name);
            case WORKFLOW ->
                    throw RefusedException.invalid(
                            "kind: a Workflow is run, not applied; submit it (millrace submit FILE, or POST /api/v1/workflows/"
                                    + manifest.namespace()
                                    + ")");
            case WORKFLOW_TEMPLATE,
                    CLUSTER_WORKFLOW_TEMPLATE,
                    CRON_WORKFLOW,
                    WORKFLOW_EVENT_BINDING,
                    EVENT_SOURCE,
                    SENSOR,
                    EVENT_BUS,
                    CONFIG_MAP ->
                    putManifest(manifest, name);
        };
    }

    /**
     * Creates an object.
     *
     * @throws RefusedException if it exists
     */
    public synchronized Stored create(Manifest manifest) {
        String name = String.valueOf(manifest.name());
        if (find(manifest.kind(), manifest.namespace(), name).isPresent()) {
            throw new RefusedException(
                    Code.ALREADY_EXISTS,
                    "%s \"%s\" already exists".formatted(plural(manifest.kind()), name));
        }
        apply(manifest);
        return find(manifest.kind(), manifest.namespace(), name).orElseThrow();
    }

    /**
     * Changes an object.
     *
     * @param resourceVersion the version that the caller changed; empty if it does not say
     * @throws RefusedException if it does not exist, or was changed by somebody else meanwhile
     */
    public synchronized Stored update(Manifest manifest, String resourceVersion) {
        String name = String.valueOf(manifest.name());
        Stored stored =
                find(manifest.kind(), manifest.namespace(), name)
                        .orElseThrow(() -> notFound(manifest.kind(), name));
        if (!resourceVersion.isEmpty()
                && !resourceVersion.equals(Long.toString(stored.version()))) {
            throw new RefusedException(
                    Code.ALREADY_EXISTS,
                    "%s \"%s\" was changed meanwhile: you changed version %s, it has version %d. Read it again and repeat the change"
                            .formatted(
                                    plural(manifest.kind()),
                                    name,
                                    resourceVersion,
                                    stored.version()));
        }
        apply(manifest);
        return find(manifest.kind(), manifest.namespace(), name).orElseThrow();
    }

    /**
     * Suspends a CronWorkflow or lets it go on.
     *
     * @throws RefusedException if it does not exist
     */
    public synchronized Stored suspendCron(String namespace, String name, boolean suspended) {
        awaitOwnWrites();
        Stored stored =
                find(Kind.CRON_WORKFLOW, namespace, name)
                        .orElseThrow(() -> notFound(Kind.CRON_WORKFLOW, name));
        ObjectNode changed = stored.manifest().deepCopy().asObject();
        changed.withObject("/spec").put("suspend", suspended);
        if (!changed.equals(stored.manifest())) {
            written(log.put(stored.key(), changed));
        }
        return find(Kind.CRON_WORKFLOW, namespace, name).orElseThrow();
    }

    /**
     * Deletes an object.
     *
     * @throws RefusedException if it does not exist
     */
    public synchronized void delete(Kind kind, String namespace, String name) {
        if (kind == Kind.SECRET) {
            if (!secrets.names(namespace).contains(name)) {
                throw notFound(kind, name);
            }
            secrets.delete(namespace, name);
            return;
        }
        if (find(kind, namespace, name).isEmpty()) {
            throw notFound(kind, name);
        }
        written(log.delete(new ManifestKey(kind.yamlName(), namespace, name)));
    }

    /** Returns when everything that was written here can be read here. */
    public void awaitOwnWrites() {
        long version = lastWrite.get();
        if (version >= 0) {
            await(log.seen(version));
        }
    }

    /** An object as clients know it: with the version that an update may name. */
    public static ObjectNode render(Stored stored) {
        ObjectNode object = stored.manifest().deepCopy().asObject();
        object.withObject("/metadata").put("resourceVersion", Long.toString(stored.version()));
        return object;
    }

    /** The plural that messages of this field use. */
    public static String plural(Kind kind) {
        return switch (kind) {
            case WORKFLOW -> "workflows.argoproj.io";
            case WORKFLOW_TEMPLATE -> "workflowtemplates.argoproj.io";
            case CLUSTER_WORKFLOW_TEMPLATE -> "clusterworkflowtemplates.argoproj.io";
            case CRON_WORKFLOW -> "cronworkflows.argoproj.io";
            case WORKFLOW_EVENT_BINDING -> "workfloweventbindings.argoproj.io";
            case EVENT_SOURCE -> "eventsources.argoproj.io";
            case SENSOR -> "sensors.argoproj.io";
            case EVENT_BUS -> "eventbus.argoproj.io";
            case SECRET -> "secrets";
            case CONFIG_MAP -> "configmaps";
        };
    }

    public static RefusedException notFound(Kind kind, String name) {
        return new RefusedException(
                Code.NOT_FOUND, "%s \"%s\" not found".formatted(plural(kind), name));
    }

    private Outcome putManifest(Manifest manifest, String name) {
        awaitOwnWrites();
        Stored known = find(manifest.kind(), manifest.namespace(), name).orElse(null);
        ObjectNode wanted = manifest.tree().deepCopy().asObject();
        wanted.remove("status");
        ObjectNode metadata = wanted.withObject("/metadata");
        metadata.remove(List.of("resourceVersion", "managedFields", "selfLink", "generation"));
        if (manifest.kind().isNamespaced()) {
            metadata.put("namespace", manifest.namespace());
        }
        metadata.put("uid", kept(known, "uid", UUID.randomUUID().toString()));
        metadata.put(
                "creationTimestamp",
                kept(
                        known,
                        "creationTimestamp",
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString()));
        if (known != null && known.manifest().equals(wanted)) {
            return Outcome.UNCHANGED;
        }
        written(
                log.put(
                        new ManifestKey(manifest.kind().yamlName(), manifest.namespace(), name),
                        wanted));
        return known == null ? Outcome.CREATED : Outcome.CONFIGURED;
    }

    private static String kept(@Nullable Stored known, String member, String fresh) {
        return known == null
                ? fresh
                : known.manifest().path("metadata").path(member).asString(fresh);
    }

    private Outcome putSecret(Manifest manifest, String name) {
        Map<String, String> values = new TreeMap<>();
        manifest.content(Secret.class)
                .values()
                .forEach(
                        (key, value) -> values.put(key, new String(value, StandardCharsets.UTF_8)));
        boolean exists = secrets.names(manifest.namespace()).contains(name);
        boolean same =
                exists
                        && values.entrySet().stream()
                                .allMatch(
                                        e ->
                                                secrets.value(
                                                                manifest.namespace(),
                                                                name,
                                                                e.getKey())
                                                        .equals(
                                                                Optional.of(
                                                                        dev.millrace.log
                                                                                .TrailingNewline
                                                                                .trim(
                                                                                        e
                                                                                                .getValue()))));
        // Written in any case: keys may have gone, and the store does not list them.
        secrets.put(manifest.namespace(), name, values);
        return !exists ? Outcome.CREATED : same ? Outcome.UNCHANGED : Outcome.CONFIGURED;
    }

    private void written(CompletableFuture<Long> write) {
        long version = await(write);
        lastWrite.accumulateAndGet(version, Math::max);
        await(log.seen(version));
    }

    private static <T extends @Nullable Object> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new RefusedException(
                    Code.DEADLINE_EXCEEDED,
                    "the log has not answered within "
                            + PATIENCE_SECONDS
                            + " s; ask /readyz, and send it again");
        } catch (ExecutionException e) {
            throw new RefusedException(
                    Code.UNAVAILABLE, "the log did not take it: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefusedException(Code.UNAVAILABLE, "the server is stopping; send it again");
        }
    }
}
