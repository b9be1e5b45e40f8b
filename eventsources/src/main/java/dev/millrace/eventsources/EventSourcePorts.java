package dev.millrace.eventsources;

import dev.millrace.log.LogConnection;
import dev.millrace.log.Secrets;
import dev.millrace.log.StatusLog;
import dev.millrace.log.embedded.DiskSpace;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * What the event sources get from the process that they are part of. None of it is closed by them.
 *
 * @param events plain producer that gives up after seconds, since senders wait for the answer
 * @param disk of the embedded broker; null if the log is elsewhere
 * @param redact masks secrets in messages
 * @param webhookHost address that webhook ports listen on; null means all
 */
public record EventSourcePorts(
        LogConnection log,
        Producer<String, byte[]> events,
        StatusLog status,
        Secrets secrets,
        @Nullable DiskSpace disk,
        MeterRegistry meters,
        InstantSource clock,
        UnaryOperator<String> redact,
        @Nullable String webhookHost) {}
