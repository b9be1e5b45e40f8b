package dev.millrace.server;

import ch.qos.logback.core.Context;
import dev.millrace.log.DeadLetters;
import dev.millrace.log.LogConnection;
import dev.millrace.log.embedded.DataFolder;
import dev.millrace.log.embedded.DiskSpace;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.log.secrets.FileSecrets;
import dev.millrace.log.secrets.ManifestConfigMaps;
import dev.millrace.log.secrets.RedactingLayout;
import dev.millrace.log.secrets.Redactor;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.Producers.Patience;
import dev.millrace.server.configuration.Configuration;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.LoggerFactory;

/**
 * What every loop stands on: the data folder with what lies in it, the log, and the manifests.
 *
 * @param logId identity of the Kafka cluster
 * @param answering gives up in time for somebody who waits
 * @param patient never gives up
 */
record Foundation(
        Configuration configuration,
        DataFolder data,
        Redactor redactor,
        FileSecrets secrets,
        DiskSpace disk,
        PrometheusMeterRegistry meters,
        LogConnection log,
        String logId,
        Producer<String, byte[]> answering,
        Producer<String, byte[]> patient,
        DeadLetters deadLetters,
        ManifestLog manifests,
        ManifestConfigMaps configMaps,
        InstantSource clock,
        Readiness readiness) {

    static Foundation start(Configuration configuration, ClosingStack parts) {
        DataFolder data = parts.add("data folder", DataFolder.claim(configuration.data()));
        Redactor redactor = new Redactor();
        if (LoggerFactory.getILoggerFactory() instanceof Context logging) {
            RedactingLayout.install(logging, redactor);
        }
        FileSecrets secrets = new FileSecrets(data.path().resolve("secrets"), redactor);
        DiskSpace disk = new DiskSpace(data.path(), configuration.minimumFreeBytes());
        LogPart log = parts.add("broker", LogPart.start(data, configuration));
        LogConnection connection = log.connection();
        var answering =
                parts.add("producer", Producers.plain(connection, "server", Patience.ANSWER));
        var patient =
                parts.add(
                        "late producer",
                        Producers.plain(connection, "server-late", Patience.NEVER_GIVES_UP));
        ManifestLog manifests = parts.add("manifests", ManifestLog.start(connection, answering));
        Readiness readiness = new Readiness();
        readiness.add("manifests", manifests::health);
        return new Foundation(
                configuration,
                data,
                redactor,
                secrets,
                disk,
                Metrics.registry(disk),
                connection,
                log.id(),
                answering,
                patient,
                new DeadLetters(patient, redactor::redact),
                manifests,
                new ManifestConfigMaps(manifests),
                InstantSource.system(),
                readiness);
    }
}
