package dev.millrace.sensors.matching;

import dev.millrace.log.ManifestKey;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.manifest.ReadResult;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.sensors.definition.SensorDefinition;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * All sensors that stand now, compiled, as it follows the manifests. A sensor that cannot be read
 * leaves the others alone.
 */
public final class SensorRegistry implements ManifestLog.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(SensorRegistry.class);
    private static final String KIND = "Sensor";

    /** Where statuses go. */
    public interface StatusSink {

        /** The status of a sensor that is new or changed. */
        void put(StatusRecord status);

        /** A sensor is gone. */
        void delete(String namespace, String name);
    }

    private final StatusSink statuses;
    private final InstantSource clock;
    private final Map<ManifestKey, SensorDefinition> sensors = new HashMap<>();
    private final Map<ManifestKey, Long> deletions = new HashMap<>();
    private volatile Matcher matcher = new Matcher(MatchIndex.EMPTY);

    public SensorRegistry(StatusSink statuses, InstantSource clock) {
        this.statuses = statuses;
        this.clock = clock;
    }

    /** Over the sensors of this moment. */
    public Matcher matcher() {
        return matcher;
    }

    @Override
    public void changed(ManifestLog.Stored stored) {
        ManifestKey key = stored.key();
        if (!key.kind().equals(KIND)) {
            return;
        }
        Optional<String> fault = compile(stored);
        if (fault.isPresent()) {
            sensors.remove(key);
            LOG.warn("Sensor {} does not run: {}", key, fault.get());
            statuses.put(
                    SensorStatus.malformed(
                            key.namespace(),
                            key.name(),
                            stored.version(),
                            fault.get(),
                            clock.instant()));
        }
        matcher = new Matcher(new MatchIndex(sensors.values()));
    }

    /** What is wrong with its structure; empty if it runs, or its status says why not. */
    private Optional<String> compile(ManifestLog.Stored stored) {
        ManifestKey key = stored.key();
        ReadResult read = ManifestReader.check(key.toString(), stored.manifest());
        if (read.hasErrors() || read.documents().isEmpty()) {
            return Optional.of(
                    read.errors().stream()
                            .map(Problem::toString)
                            .findFirst()
                            .orElse("it is no manifest"));
        }
        Manifest manifest = read.documents().getFirst().manifest();
        try {
            SensorDefinition sensor =
                    SensorDefinition.compile(
                            manifest, stored.version(), deletions.getOrDefault(key, 0L));
            sensors.put(key, sensor);
            statuses.put(SensorStatus.of(sensor, clock.instant()));
            return Optional.empty();
        } catch (JacksonException e) {
            return Optional.of(String.valueOf(e.getOriginalMessage()));
        }
    }

    @Override
    public void deleted(ManifestKey key, long version) {
        if (!key.kind().equals(KIND)) {
            return;
        }
        deletions.put(key, version);
        sensors.remove(key);
        matcher = new Matcher(new MatchIndex(sensors.values()));
        statuses.delete(key.namespace(), key.name());
    }
}
