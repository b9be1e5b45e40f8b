package dev.millrace.server.configuration;

import dev.millrace.executors.http.ExecutorPlugin;
import dev.millrace.executors.process.Isolation;
import dev.millrace.log.Partitions;
import dev.millrace.workflowengine.locks.WorkflowLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a process runs.
 *
 * @param data the data folder; one process owns it
 * @param definitions folder whose manifests are applied and watched, null for none
 * @param bind address of the API
 * @param port of the API; 0 takes a free one
 * @param hosts further names that the API answers to
 * @param webhookBind address of the ports of webhook sources
 * @param brokerPort of the embedded broker; 0 takes a free one
 * @param fsync whether every record is forced to the disk
 * @param minimumFreeBytes below so much free space nothing new is accepted
 * @param maxBodyBytes largest body of a request
 * @param parallelism steps that run at the same time
 * @param workflowLimits how many workflows run at the same time
 * @param keepSteps whether running steps outlive an orderly stop
 * @param images commands of images whose templates name none
 * @param artifactRepository where artifacts go that name no place of their own
 * @param retentionPolicy how many ended workflows are kept
 * @param workflowDefaults what every workflow has that does not say otherwise
 * @param executorPlugins plugins for templates, by the key that stands under {@code plugin}
 */
public record Configuration(
        Path data,
        @Nullable Path definitions,
        String bind,
        int port,
        Set<String> hosts,
        String webhookBind,
        int brokerPort,
        Partitions partitions,
        boolean fsync,
        Duration eventRetention,
        long minimumFreeBytes,
        long maxBodyBytes,
        Isolation isolation,
        int parallelism,
        WorkflowLimits workflowLimits,
        boolean keepSteps,
        Map<String, List<String>> images,
        ArtifactRepository artifactRepository,
        RetentionPolicy retentionPolicy,
        WorkflowDefaults workflowDefaults,
        Map<String, ExecutorPlugin> executorPlugins) {

    public Configuration {
        hosts = Set.copyOf(hosts);
        images = Map.copyOf(images);
        executorPlugins = Map.copyOf(executorPlugins);
    }

    /**
     * Reads {@code millrace.yaml} in the data folder, if it is there.
     *
     * @param flags texts by {@link Setting#key()}; they win over the file
     * @throws ConfigurationException naming the setting and its place
     */
    public static Configuration load(
            Path data, @Nullable Path definitions, Map<String, String> flags) {
        return load(data, definitions, flags, Map.of());
    }

    /**
     * {@link #load(Path, Path, Map)} with variables such as {@code MILLRACE_MINIMUM_FREE_DISK},
     * which win over the file.
     *
     * @param environment all variables; others are not looked at
     */
    public static Configuration load(
            Path data,
            @Nullable Path definitions,
            Map<String, String> flags,
            Map<String, String> environment) {
        return ConfigurationReader.read(data, definitions, flags, environment);
    }

    /** Whether only this machine can reach the API. */
    public boolean isLoopback() {
        return bind.equals("localhost")
                || bind.startsWith("127.")
                || bind.equals("::1")
                || bind.equals("[::1]");
    }
}
