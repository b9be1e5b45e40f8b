package dev.millrace.executors.process;

import dev.millrace.executors.StepContainer;
import dev.millrace.executors.StepEnvironment;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.record.StepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The volumes that a container mounts, as folders of the step: an {@code emptyDir} is an empty
 * folder, a {@code secret} or {@code configMap} has one file per key. Volumes that several steps
 * share are not known here.
 */
final class VolumeMounts {
    private VolumeMounts() {}

    /** Makes the folders; returns the mount paths. */
    static Set<String> create(
            StepSpec spec, StepContainer container, StepEnvironment objects, PrivateFiles files)
            throws IOException, StepRefusedException {
        Map<String, JsonNode> volumes = new HashMap<>();
        JsonNode declared = spec.template().volumes();
        if (declared != null) {
            declared.forEach(v -> volumes.put(v.path("name").asString(""), v));
        }
        Set<String> paths = new HashSet<>();
        JsonNode mounts = container.volumeMounts();
        if (mounts != null) {
            for (JsonNode mount : mounts) {
                String path = mount.path("mountPath").asString("");
                if (!path.startsWith("/")) {
                    throw new StepRefusedException(
                            "volumeMounts: mountPath must be an absolute path, not " + path);
                }
                Path folder = files.makeFolder(path);
                fill(spec, volumes.get(mount.path("name").asString("")), mount, objects, folder);
                // A path below it as well: it is the folder itself that is written into.
                paths.add(Path.of(path).normalize() + "/*");
                paths.add(Path.of(path).normalize().toString());
            }
        }
        return paths;
    }

    private static void fill(
            StepSpec spec,
            @Nullable JsonNode volume,
            JsonNode mount,
            StepEnvironment objects,
            Path folder)
            throws IOException, StepRefusedException {
        if (volume == null) {
            throw new StepRefusedException(
                    "volume %s is mounted but the step's template declares none of this name"
                            .formatted(mount.path("name").asString("")));
        }
        if (volume.has("emptyDir")) {
            return;
        }
        Map<String, String> entries;
        if (volume.has("secret")) {
            entries = objects.secret(spec, volume.path("secret").path("secretName").asString(""));
        } else if (volume.has("configMap")) {
            entries = objects.configMap(spec, volume.path("configMap").path("name").asString(""));
        } else {
            throw new StepRefusedException(
                    "volume %s: this executor knows emptyDir, secret and configMap volumes"
                            .formatted(mount.path("name").asString("")));
        }
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            // A key cannot hold a slash; what comes from a file or a person is not trusted to keep
            // to that.
            Path file = folder.resolve(Path.of(entry.getKey()).getFileName());
            // An artifact may have put a link there before a restart.
            Files.deleteIfExists(file);
            Files.writeString(file, entry.getValue());
        }
    }
}
