package dev.millrace.testkit.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link SmallKubelet} behaves.
 *
 * @param namespace whose pods it runs; null: of all namespaces
 * @param imageCommands what an image runs where the manifest has no command
 * @param unschedulable why pods without a node stay so; null: they are bound
 * @param finishesAtOnce pods succeed without any process: for load
 * @param restartDelay how long a container that ended waits before it is run again
 * @param hostFolders folders of this host that every container sees, read-only
 */
public record KubeletSettings(
        @Nullable String namespace,
        Map<String, List<String>> imageCommands,
        @Nullable String unschedulable,
        boolean finishesAtOnce,
        Duration restartDelay,
        List<Path> hostFolders) {

    /** Runs the pods of one namespace as processes. */
    public static KubeletSettings of(String namespace) {
        return new KubeletSettings(
                namespace, Map.of(), null, false, Duration.ofMillis(200), List.of());
    }

    /** As these, with commands of images. */
    public KubeletSettings withImageCommands(Map<String, List<String>> commands) {
        return new KubeletSettings(
                namespace, commands, unschedulable, finishesAtOnce, restartDelay, hostFolders);
    }

    /** As these, but pods stay without a node. */
    public KubeletSettings unschedulable(String why) {
        return new KubeletSettings(
                namespace, imageCommands, why, finishesAtOnce, restartDelay, hostFolders);
    }

    /** As these, but pods succeed without any process. */
    public KubeletSettings finishingAtOnce() {
        return new KubeletSettings(
                namespace, imageCommands, unschedulable, true, restartDelay, hostFolders);
    }

    /** As these, with folders of this host that every container sees. */
    public KubeletSettings withHostFolders(List<Path> folders) {
        return new KubeletSettings(
                namespace, imageCommands, unschedulable, finishesAtOnce, restartDelay, folders);
    }
}
