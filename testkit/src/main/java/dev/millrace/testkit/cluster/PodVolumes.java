package dev.millrace.testkit.cluster;

import dev.millrace.testkit.cluster.ContainerEnvironment.MissingReference;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.DownwardAPIVolumeFile;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The volumes of one pod as folders of this host. */
record PodVolumes(Path folder, ContainerEnvironment environment) {
    /** A folder or file of the host, seen at a path of the container. */
    record Mount(Path host, String path, boolean readOnly) {}

    /** Makes every volume. */
    void make() throws IOException, MissingReference {
        for (Volume volume : environment.pod().getSpec().getVolumes()) {
            Path at = Files.createDirectories(folder.resolve(volume.getName()));
            if (volume.getEmptyDir() != null || volume.getHostPath() != null) {
                continue;
            }
            if (volume.getConfigMap() != null) {
                var source = volume.getConfigMap();
                boolean optional = Boolean.TRUE.equals(source.getOptional());
                write(at, environment.configMap(source.getName(), optional), source.getItems());
            } else if (volume.getSecret() != null) {
                var source = volume.getSecret();
                boolean optional = Boolean.TRUE.equals(source.getOptional());
                write(at, environment.secret(source.getSecretName(), optional), source.getItems());
            } else if (volume.getDownwardAPI() != null) {
                downward(at, volume.getDownwardAPI().getItems());
            } else if (volume.getProjected() != null) {
                for (VolumeProjection source : volume.getProjected().getSources()) {
                    project(at, source);
                }
            } else {
                throw new MissingReference(
                        "volume %s is of a kind that this kubelet does not have"
                                .formatted(volume.getName()));
            }
        }
    }

    /** What a container sees of them, in its order. */
    List<Mount> mounts(Container container) throws IOException {
        List<Mount> mounts = new ArrayList<>();
        for (VolumeMount mount : container.getVolumeMounts()) {
            Volume volume =
                    environment.pod().getSpec().getVolumes().stream()
                            .filter(v -> v.getName().equals(mount.getName()))
                            .findFirst()
                            .orElseThrow();
            Path host =
                    volume.getHostPath() == null
                            ? folder.resolve(volume.getName())
                            : Path.of(volume.getHostPath().getPath());
            String sub = mount.getSubPath();
            if (sub != null && !sub.isEmpty()) {
                host = host.resolve(sub);
                if (!Files.exists(host)) {
                    Files.createDirectories(host);
                }
            }
            boolean written = volume.getEmptyDir() != null || volume.getHostPath() != null;
            boolean readOnly = !written || Boolean.TRUE.equals(mount.getReadOnly());
            mounts.add(new Mount(host, mount.getMountPath(), readOnly));
        }
        return mounts;
    }

    private void project(Path at, VolumeProjection source) throws IOException, MissingReference {
        if (source.getConfigMap() != null) {
            var from = source.getConfigMap();
            boolean optional = Boolean.TRUE.equals(from.getOptional());
            write(at, environment.configMap(from.getName(), optional), from.getItems());
        } else if (source.getSecret() != null) {
            var from = source.getSecret();
            boolean optional = Boolean.TRUE.equals(from.getOptional());
            write(at, environment.secret(from.getName(), optional), from.getItems());
        } else if (source.getDownwardAPI() != null) {
            downward(at, source.getDownwardAPI().getItems());
        } else {
            throw new MissingReference(
                    "a projected source of a kind that this kubelet does not have");
        }
    }

    private void downward(Path at, List<DownwardAPIVolumeFile> items) throws IOException {
        for (DownwardAPIVolumeFile item : items) {
            String value;
            if (item.getFieldRef() != null) {
                value = environment.field(item.getFieldRef().getFieldPath());
            } else {
                var ref = item.getResourceFieldRef();
                Container container =
                        environment.pod().getSpec().getContainers().stream()
                                .filter(c -> c.getName().equals(ref.getContainerName()))
                                .findFirst()
                                .orElseThrow();
                value = Resources.value(container, ref);
            }
            write(at.resolve(item.getPath()), value.getBytes(StandardCharsets.UTF_8), null);
        }
    }

    private static void write(Path at, Map<String, byte[]> data, @Nullable List<KeyToPath> items)
            throws IOException, MissingReference {
        if (items == null || items.isEmpty()) {
            for (Map.Entry<String, byte[]> entry : data.entrySet()) {
                write(at.resolve(entry.getKey()), entry.getValue(), null);
            }
            return;
        }
        for (KeyToPath item : items) {
            byte[] value = data.get(item.getKey());
            if (value == null) {
                throw new MissingReference("references non-existent key: " + item.getKey());
            }
            write(at.resolve(item.getPath()), value, item.getMode());
        }
    }

    private static void write(Path file, byte[] value, @Nullable Integer mode) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, value);
        if (mode != null && (mode & 0111) != 0 && !file.toFile().setExecutable(true, false)) {
            throw new IOException("cannot make " + file + " executable");
        }
    }
}
