package dev.millrace.executors.process;

import dev.millrace.executors.PodFields;
import dev.millrace.executors.StepContainer;
import dev.millrace.executors.StepEnvironment;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.executors.VariableReferences;
import dev.millrace.schemas.record.StepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The volumes of one step, as folders of this host that its containers share. Made when the first
 * container that mounts one asks for it.
 */
final class StepVolumes {
    /** The kinds that are known, for messages. */
    static final String KNOWN =
            "emptyDir, secret, configMap, downwardAPI, projected, hostPath and persistentVolumeClaim";

    private final StepSpec step;
    private final Path folder;
    private final StepEnvironment objects;
    private final ClaimFolders claims;
    private final Map<String, JsonNode> declared = new HashMap<>();
    private final Map<String, Path> made = new HashMap<>();

    /**
     * @param folder where the volumes of this step lie
     */
    StepVolumes(StepSpec step, Path folder, StepEnvironment objects, ClaimFolders claims) {
        this.step = step;
        this.folder = folder;
        this.objects = objects;
        this.claims = claims;
        JsonNode volumes = step.template().volumes();
        if (volumes != null) {
            volumes.forEach(v -> declared.put(v.path("name").asString(""), v));
        }
    }

    /**
     * What a container mounts, outer places before inner ones.
     *
     * @param env its environment, for {@code subPathExpr}
     */
    List<Mount> mounts(StepContainer container, Map<String, String> env)
            throws IOException, StepRefusedException {
        List<Mount> mounts = new ArrayList<>();
        JsonNode wanted = container.spec().volumeMounts();
        if (wanted != null) {
            for (JsonNode mount : wanted) {
                mounts.add(mount(mount, env));
            }
        }
        mounts.sort(Comparator.comparing(m -> Path.of(m.path()).getNameCount()));
        return mounts;
    }

    private Mount mount(JsonNode mount, Map<String, String> env)
            throws IOException, StepRefusedException {
        String name = mount.path("name").asString("");
        String path = mount.path("mountPath").asString("");
        if (!path.startsWith("/") || Path.of(path).normalize().getNameCount() == 0) {
            throw new StepRefusedException(
                    "volumeMounts: mountPath must be an absolute path below /, not " + path);
        }
        Path host = volume(name);
        String subPath = mount.path("subPath").asString("");
        if (subPath.isEmpty()) {
            subPath = VariableReferences.expand(mount.path("subPathExpr").asString(""), env);
        }
        if (!subPath.isEmpty()) {
            Path inside = host.resolve(subPath).normalize();
            if (!inside.startsWith(host) || subPath.startsWith("/")) {
                throw new StepRefusedException(
                        "volumeMounts: subPath %s leads out of volume %s".formatted(subPath, name));
            }
            if (!Files.exists(inside)) {
                Files.createDirectories(inside);
            }
            // A link that a step left in a volume must not open the host to the next one.
            if (!inside.toRealPath().startsWith(host.toRealPath())) {
                throw new StepRefusedException(
                        "volumeMounts: subPath %s leads out of volume %s".formatted(subPath, name));
            }
            host = inside;
        }
        return new Mount(
                Path.of(path).normalize().toString(),
                host,
                mount.path("readOnly").asBoolean(false));
    }

    private Path volume(String name) throws IOException, StepRefusedException {
        Path known = made.get(name);
        if (known != null) {
            return known;
        }
        JsonNode volume = declared.get(name);
        if (volume == null) {
            throw new StepRefusedException(
                    "volume %s is mounted, but neither the template nor the workflow declares one of this name"
                            .formatted(name));
        }
        Path place = make(name, volume);
        made.put(name, place);
        return place;
    }

    private Path make(String name, JsonNode volume) throws IOException, StepRefusedException {
        if (volume.has("persistentVolumeClaim")) {
            return claims.use(
                    step.workflow().namespace(),
                    volume.path("persistentVolumeClaim").path("claimName").asString(""));
        }
        if (volume.has("hostPath")) {
            return hostPath(name, volume.path("hostPath"));
        }
        // Names of volumes are no names of files for certain; their number is.
        Path place = Files.createDirectories(folder.resolve(Integer.toString(made.size())));
        if (volume.has("emptyDir")) {
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
        } else if (volume.has("projected")) {
            JsonNode projected = volume.path("projected");
            for (JsonNode source : projected.path("sources")) {
                fill(place, name, source, projected.path("defaultMode"));
            }
        } else {
            fill(place, name, volume, defaultMode(volume));
        }
        return place;
    }

    private static Path hostPath(String name, JsonNode hostPath)
            throws IOException, StepRefusedException {
        String path = hostPath.path("path").asString("");
        String type = hostPath.path("type").asString("");
        if (!path.startsWith("/")) {
            throw new StepRefusedException(
                    "volume %s: hostPath.path must be absolute, not %s".formatted(name, path));
        }
        Path place = Path.of(path).normalize();
        if (type.equals("DirectoryOrCreate")) {
            Files.createDirectories(place);
        } else if (type.equals("FileOrCreate") && !Files.exists(place)) {
            Files.createFile(place);
        }
        if (!Files.exists(place)
                || (type.startsWith("Directory") && !Files.isDirectory(place))
                || (type.startsWith("File") && !Files.isRegularFile(place))) {
            throw new StepRefusedException(
                    "volume %s: there is no %s %s on this host"
                            .formatted(
                                    name,
                                    type.startsWith("File")
                                            ? "file"
                                            : type.startsWith("Directory") ? "folder" : "path",
                                    path));
        }
        return place;
    }

    private static JsonNode defaultMode(JsonNode volume) {
        for (String kind : List.of("secret", "configMap", "downwardAPI")) {
            if (volume.has(kind)) {
                return volume.path(kind).path("defaultMode");
            }
        }
        return volume.path("defaultMode");
    }

    private void fill(Path place, String name, JsonNode source, JsonNode mode)
            throws IOException, StepRefusedException {
        if (source.has("secret")) {
            JsonNode secret = source.path("secret");
            String object = secret.path("secretName").asString(secret.path("name").asString(""));
            write(
                    place,
                    objects.secret(step, object, keys(secret), optional(secret)),
                    secret.path("items"),
                    mode);
        } else if (source.has("configMap")) {
            JsonNode configMap = source.path("configMap");
            write(
                    place,
                    objects.configMap(
                            step,
                            configMap.path("name").asString(""),
                            keys(configMap),
                            optional(configMap)),
                    configMap.path("items"),
                    mode);
        } else if (source.has("downwardAPI")) {
            for (JsonNode item : source.path("downwardAPI").path("items")) {
                String field = item.path("fieldRef").path("fieldPath").asString("");
                String value =
                        PodFields.value(step, field)
                                .orElseThrow(
                                        () ->
                                                new StepRefusedException(
                                                        "volume %s: a downwardAPI volume can show metadata.name, namespace, uid, labels and annotations here, not %s"
                                                                .formatted(
                                                                        name,
                                                                        field.isEmpty()
                                                                                ? "resources"
                                                                                : field)));
                write(place, item.path("path").asString(""), value, item.path("mode"), mode);
            }
        } else {
            throw new StepRefusedException(
                    "volume %s: this executor knows %s".formatted(name, KNOWN));
        }
    }

    private static List<String> keys(JsonNode object) {
        List<String> keys = new ArrayList<>();
        object.path("items").forEach(i -> keys.add(i.path("key").asString("")));
        return keys;
    }

    private static boolean optional(JsonNode object) {
        return object.path("optional").asBoolean(false);
    }

    private static void write(
            Path place, Map<String, String> entries, JsonNode items, JsonNode defaultMode)
            throws IOException, StepRefusedException {
        Map<String, JsonNode> byKey = new LinkedHashMap<>();
        items.forEach(i -> byKey.put(i.path("key").asString(""), i));
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            JsonNode item = byKey.get(entry.getKey());
            write(
                    place,
                    item == null ? entry.getKey() : item.path("path").asString(entry.getKey()),
                    entry.getValue(),
                    item == null ? null : item.path("mode"),
                    defaultMode);
        }
    }

    private static void write(
            Path place, String path, String value, @Nullable JsonNode mode, JsonNode defaultMode)
            throws IOException, StepRefusedException {
        Path file = place.resolve(path).normalize();
        if (path.isEmpty() || file.equals(place) || !file.startsWith(place)) {
            throw new StepRefusedException(
                    "volumes: '%s' is no path inside a volume".formatted(path));
        }
        // An artifact may have put a link there before a restart.
        Path own = new PrivateFiles(place).placeFor(path);
        Files.writeString(own, value);
        JsonNode bits = mode != null && mode.isNumber() ? mode : defaultMode;
        if (bits.isNumber()) {
            Files.setPosixFilePermissions(own, permissions(bits.asInt()));
        }
    }

    private static Set<PosixFilePermission> permissions(int bits) {
        Set<PosixFilePermission> all = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] ordered = PosixFilePermission.values();
        for (int i = 0; i < ordered.length; i++) {
            if ((bits & (0400 >> i)) != 0) {
                all.add(ordered[i]);
            }
        }
        return all;
    }
}
