package dev.millrace.server.configuration;

import dev.millrace.executors.http.ExecutorPlugin;
import dev.millrace.executors.process.Isolation;
import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.log.Partitions;
import dev.millrace.schemas.yaml.Document;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Documents;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.workflowengine.locks.WorkflowLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Puts flags, file and defaults together, each value with the place that it came from for the
 * error.
 */
final class ConfigurationReader {

    private static final Pattern BYTES = Pattern.compile("(\\d{1,12})(|Ki|Mi|Gi)");

    private record Value(String text, String place) {}

    private final Map<Setting, Value> values = new EnumMap<>(Setting.class);
    private final Map<String, List<String>> images = new LinkedHashMap<>();
    private ArtifactRepository artifactRepository = ArtifactRepository.local();
    private RetentionPolicy retentionPolicy = RetentionPolicy.ALL;
    private WorkflowDefaults workflowDefaults = WorkflowDefaults.NONE;
    private Map<String, ExecutorPlugin> executorPlugins = Map.of();

    private ConfigurationReader() {}

    static Configuration read(
            Path data,
            @Nullable Path definitions,
            Map<String, String> flags,
            Map<String, String> environment) {
        ConfigurationReader reader = new ConfigurationReader();
        reader.file(data.resolve("millrace.yaml"));
        for (Setting setting : Setting.values()) {
            String text = environment.get(setting.variable());
            if (text != null && !text.isBlank()) {
                reader.text(setting, text, "variable " + setting.variable());
            }
        }
        flags.forEach(
                (key, text) -> reader.text(setting(key, "flag --" + key), text, "flag --" + key));
        return reader.configuration(data, definitions);
    }

    private Configuration configuration(Path data, @Nullable Path definitions) {
        String bind = text(Setting.BIND);
        String webhookBind = text(Setting.WEBHOOK_BIND);
        return new Configuration(
                data,
                definitions,
                bind,
                number(Setting.PORT, 0, 65_535),
                hosts(),
                webhookBind.isEmpty() ? bind : webhookBind,
                number(Setting.BROKER_PORT, 0, 65_535),
                new Partitions(number(Setting.PARTITIONS, 1, 1_000)),
                flag(Setting.FSYNC),
                duration(Setting.EVENT_RETENTION),
                bytes(Setting.MINIMUM_FREE_DISK),
                bytes(Setting.MAX_BODY),
                isolation(),
                number(Setting.PARALLELISM, 1, 100_000),
                new WorkflowLimits(
                        number(Setting.WORKFLOW_PARALLELISM, 0, 1_000_000),
                        number(Setting.NAMESPACE_PARALLELISM, 0, 1_000_000)),
                flag(Setting.KEEP_STEPS),
                images,
                artifactRepository(),
                retentionPolicy,
                workflowDefaults,
                executorPlugins);
    }

    private void file(Path file) {
        if (!Files.exists(file)) {
            return;
        }
        Documents documents;
        try {
            documents = YamlReader.read(file.toString(), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("the configuration " + file + " cannot be read", e);
        }
        if (!documents.faults().isEmpty()) {
            var fault = documents.faults().getFirst();
            throw new ConfigurationException(
                    fault.place() + ": " + fault.message() + " " + fault.hint());
        }
        for (Document document : documents.documents()) {
            if (!document.tree().isObject()) {
                throw new ConfigurationException(
                        document.places().start() + ": write lines of the form 'port: 2746'");
            }
            document.tree()
                    .properties()
                    .forEach(entry -> entry(document, entry.getKey(), entry.getValue()));
        }
    }

    private void text(Setting setting, String text, String place) {
        if (setting.isMap()) {
            throw new ConfigurationException(
                    "%s: %s is a map; write it into millrace.yaml in the data folder"
                            .formatted(place, setting.key()));
        }
        values.put(setting, new Value(text, place));
    }

    private void entry(Document document, String key, JsonNode value) {
        String place = document.places().of(DocumentPath.ROOT.key(key)).toString();
        Setting setting = setting(key, place);
        if (setting == Setting.IMAGES) {
            images(value, place);
        } else if (setting == Setting.ARTIFACT_REPOSITORY && value.isObject()) {
            artifactRepository(value, place);
        } else if (setting == Setting.RETENTION_POLICY) {
            retentionPolicy(value, place);
        } else if (setting == Setting.WORKFLOW_DEFAULTS) {
            workflowDefaults(value, place);
        } else if (setting == Setting.EXECUTOR_PLUGINS) {
            executorPlugins(value, place);
        } else if (value.isArray()) {
            List<String> parts = new ArrayList<>();
            value.forEach(item -> parts.add(item.asString("")));
            values.put(setting, new Value(String.join(",", parts), place));
        } else if (value.isValueNode()) {
            values.put(setting, new Value(value.asString(""), place));
        } else {
            throw new ConfigurationException(place + ": " + key + " is a text, not an object");
        }
    }

    private void images(JsonNode value, String place) {
        if (!value.isObject()) {
            throw new ConfigurationException(
                    place + ": images is a map such as {my/image: [command, argument]}");
        }
        value.properties()
                .forEach(
                        image -> {
                            List<String> command = new ArrayList<>();
                            if (image.getValue().isArray()) {
                                image.getValue().forEach(word -> command.add(word.asString("")));
                            } else {
                                command.add(image.getValue().asString(""));
                            }
                            if (command.isEmpty() || command.getFirst().isEmpty()) {
                                throw new ConfigurationException(
                                        place
                                                + ": the command of image "
                                                + image.getKey()
                                                + " is empty");
                            }
                            images.put(image.getKey(), command);
                        });
    }

    private void artifactRepository(JsonNode value, String place) {
        artifactRepository = new ArtifactRepository(value);
        artifactRepository
                .problem()
                .ifPresent(
                        problem -> {
                            throw new ConfigurationException(
                                    "%s: artifactRepository: %s".formatted(place, problem));
                        });
    }

    private void retentionPolicy(JsonNode value, String place) {
        try {
            retentionPolicy = RetentionPolicy.of(value);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    "%s: retentionPolicy: %s".formatted(place, e.getMessage()));
        }
    }

    private void executorPlugins(JsonNode value, String place) {
        try {
            executorPlugins = ExecutorPlugins.read(value);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(
                    "%s: executorPlugins: %s".formatted(place, e.getMessage()));
        }
    }

    private void workflowDefaults(JsonNode value, String place) {
        workflowDefaults = new WorkflowDefaults(value);
        workflowDefaults
                .problem()
                .ifPresent(
                        problem -> {
                            throw new ConfigurationException(
                                    "%s: workflowDefaults: %s".formatted(place, problem));
                        });
    }

    private ArtifactRepository artifactRepository() {
        if (!values.containsKey(Setting.ARTIFACT_REPOSITORY)) {
            return artifactRepository;
        }
        if (text(Setting.ARTIFACT_REPOSITORY).equals("local")) {
            return ArtifactRepository.local();
        }
        throw wrong(Setting.ARTIFACT_REPOSITORY, "local, or in millrace.yaml a map");
    }

    private static Setting setting(String key, String place) {
        return Setting.named(key)
                .orElseThrow(
                        () ->
                                new ConfigurationException(
                                        "%s: there is no setting '%s'; there are %s"
                                                .formatted(place, key, Setting.known())));
    }

    private Value value(Setting setting) {
        return values.getOrDefault(setting, new Value(setting.fallback(), "default"));
    }

    private String text(Setting setting) {
        return value(setting).text().strip();
    }

    private Set<String> hosts() {
        Set<String> hosts = new LinkedHashSet<>();
        for (String host : text(Setting.HOSTS).split(",", -1)) {
            if (!host.isBlank()) {
                hosts.add(host.strip().toLowerCase(Locale.ROOT));
            }
        }
        return hosts;
    }

    private int number(Setting setting, int least, int most) {
        String text = text(setting);
        if (text.matches("\\d{1,9}")) {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw wrong(setting, "a number from %d to %d".formatted(least, most));
    }

    private boolean flag(Setting setting) {
        return switch (text(setting)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(setting, "true or false");
        };
    }

    private long bytes(Setting setting) {
        Matcher bytes = BYTES.matcher(text(setting));
        if (!bytes.matches()) {
            throw wrong(setting, "a number of bytes such as 512Mi (or Ki, Gi)");
        }
        long number = Long.parseLong(bytes.group(1));
        return switch (bytes.group(2)) {
            case "Ki" -> number << 10;
            case "Mi" -> number << 20;
            case "Gi" -> number << 30;
            default -> number;
        };
    }

    private Duration duration(Setting setting) {
        try {
            Duration duration = GoDuration.parse(text(setting));
            if (duration.isPositive()) {
                return duration;
            }
        } catch (DurationSyntaxException e) {
            throw wrong(setting, "a duration such as 168h or 30m");
        }
        throw wrong(setting, "a duration above zero");
    }

    private Isolation isolation() {
        return switch (text(Setting.ISOLATION)) {
            case "auto" -> Isolation.AUTO;
            case "bubblewrap" -> Isolation.BUBBLEWRAP;
            case "none" -> Isolation.NONE;
            default -> throw wrong(Setting.ISOLATION, "auto, bubblewrap or none");
        };
    }

    private ConfigurationException wrong(Setting setting, String expected) {
        Value value = value(setting);
        return new ConfigurationException(
                "%s: %s is '%s', but %s is expected (%s)"
                        .formatted(
                                value.place(),
                                setting.key(),
                                value.text(),
                                expected,
                                setting.meaning()));
    }
}
