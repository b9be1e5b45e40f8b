package dev.millrace.server.configuration;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The settings, by the names that they have in {@code millrace.yaml} in the data folder. */
public enum Setting {
    PORT("port", "2746", "port of the API; 0 takes a free one"),
    BIND(
            "bind",
            "127.0.0.1",
            "address that the API listens on; beyond loopback it demands the token"),
    HOSTS("hosts", "", "further names that the API answers to, separated by commas"),
    WEBHOOK_BIND(
            "webhookBind",
            "",
            "address of the ports of webhook sources; that of the API if it is not set"),
    BROKER_PORT("brokerPort", "0", "port of the embedded broker on 127.0.0.1; 0 takes a free one"),
    PARTITIONS("partitions", "4", "partitions of each topic; fixed when the data folder is made"),
    FSYNC(
            "fsync",
            "false",
            "whether every record is forced to the disk: safe from power cuts, and slow"),
    EVENT_RETENTION("eventRetention", "168h", "how long events can be replayed"),
    MINIMUM_FREE_DISK(
            "minimumFreeDisk", "512Mi", "below so much free space nothing new is accepted"),
    MAX_BODY("maxBody", "16Mi", "largest body of a request to the API"),
    ISOLATION("isolation", "auto", "how steps see the host: auto, bubblewrap or none"),
    PARALLELISM("parallelism", "64", "steps that run at the same time"),
    WORKFLOW_PARALLELISM(
            "workflowParallelism",
            "0",
            "workflows that run at the same time; others wait, by priority, then age; 0 for no limit"),
    NAMESPACE_PARALLELISM(
            "namespaceParallelism",
            "0",
            "workflows of one namespace that run at the same time; 0 for no limit"),
    KEEP_STEPS("keepSteps", "false", "whether running steps go on when the server stops"),
    IMAGES(
            "images",
            "",
            "commands for images whose templates name none: a map from image to command"),
    ARTIFACT_REPOSITORY(
            "artifactRepository",
            "local",
            "where artifacts go that name no place: local (the data folder), or a map with one of local and s3 as in a ConfigMap artifact-repositories"),
    RETENTION_POLICY(
            "retentionPolicy",
            "",
            "how many ended workflows are kept, the newest: a map with completed, failed and errored; what is not named has no limit"),
    WORKFLOW_DEFAULTS(
            "workflowDefaults",
            "",
            "what every workflow has that does not say otherwise: a map with metadata (labels, annotations) and spec"),
    EXECUTOR_PLUGINS(
            "executorPlugins",
            "",
            "where plugins for templates listen: a map from the key under plugin to a map with url, and perhaps tokenFile or tokenSecret (namespace, name, key) and timeout (30s)");

    private final String key;
    private final String fallback;
    private final String meaning;

    Setting(String key, String fallback, String meaning) {
        this.key = key;
        this.fallback = fallback;
        this.meaning = meaning;
    }

    /** The name. */
    public String key() {
        return key;
    }

    /** Whether it is a map, which only the file can hold. */
    public boolean isMap() {
        return switch (this) {
            case IMAGES, RETENTION_POLICY, WORKFLOW_DEFAULTS, EXECUTOR_PLUGINS -> true;
            case PORT,
                    BIND,
                    HOSTS,
                    WEBHOOK_BIND,
                    BROKER_PORT,
                    PARTITIONS,
                    FSYNC,
                    EVENT_RETENTION,
                    MINIMUM_FREE_DISK,
                    MAX_BODY,
                    ISOLATION,
                    PARALLELISM,
                    WORKFLOW_PARALLELISM,
                    NAMESPACE_PARALLELISM,
                    KEEP_STEPS,
                    ARTIFACT_REPOSITORY ->
                    false;
        };
    }

    /** The variable that sets it, such as {@code MILLRACE_MAX_BODY}. */
    public String variable() {
        return "MILLRACE_" + name();
    }

    /** The value, as text, that it has if nobody sets it. */
    public String fallback() {
        return fallback;
    }

    /** One line for the documentation. */
    public String meaning() {
        return meaning;
    }

    static Optional<Setting> named(String key) {
        return Arrays.stream(values()).filter(s -> s.key.equals(key)).findFirst();
    }

    static String known() {
        return Arrays.stream(values()).map(Setting::key).collect(Collectors.joining(", "));
    }
}
