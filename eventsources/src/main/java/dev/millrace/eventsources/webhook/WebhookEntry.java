package dev.millrace.eventsources.webhook;

import static dev.millrace.eventsources.EntryStatus.State.ACTIVE;
import static dev.millrace.eventsources.EntryStatus.State.FAILED;

import dev.millrace.eventsources.EntryConfigurationException;
import dev.millrace.eventsources.EntryKey;
import dev.millrace.eventsources.EventPublisher;
import dev.millrace.eventsources.EventSourceEntry;
import dev.millrace.eventsources.EventSourceMetrics.EntryCounters;
import dev.millrace.eventsources.webhook.RouteTable.Claim;
import dev.millrace.eventsources.webhook.RouteTable.Holds;
import dev.millrace.eventsources.webhook.RouteTable.WaitsFor;
import dev.millrace.log.Secrets;
import dev.millrace.schemas.eventsource.WebhookSource;
import dev.millrace.schemas.workflow.SecretKeySelector;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** An entry of type {@code webhook}: its endpoint on its port, and at the API. */
public final class WebhookEntry implements EventSourceEntry {

    private final WebhookSource config;
    private final Seniority seniority;
    private final Secrets secrets;
    private final WebhookListeners listeners;
    private final WebhookDispatcher dispatcher;
    private final WebhookEndpoint endpoint;

    public WebhookEntry(
            EntryKey key,
            WebhookSource config,
            Seniority seniority,
            Secrets secrets,
            EventPublisher publisher,
            EntryCounters counters,
            WebhookListeners listeners,
            WebhookDispatcher dispatcher) {
        this.config = config;
        this.seniority = seniority;
        this.secrets = secrets;
        this.listeners = listeners;
        this.dispatcher = dispatcher;
        this.endpoint = new WebhookEndpoint(key, config, secrets, publisher, counters);
    }

    @Override
    public void run(StatusSink status) throws Exception {
        EndpointPattern pattern = EndpointPattern.parse(config.endpoint());
        int port = port(config.port());
        dispatcher.add(endpoint);
        Claim claim =
                new Claim(
                        seniority,
                        pattern,
                        endpoint,
                        standing -> {
                            switch (standing) {
                                case Holds _ -> status.report(ACTIVE, endpoint.warning());
                                case WaitsFor(EntryKey holder) ->
                                        status.report(FAILED, taken(pattern, port, holder));
                            }
                        });
        try (var _ = listeners.open(port, tls(), claim)) {
            new CountDownLatch(1).await();
        }
    }

    /**
     * Looks at what is written, without opening anything.
     *
     * @throws EntryConfigurationException if an entry could not start with it
     */
    public static void check(WebhookSource config) {
        var _ = EndpointPattern.parse(config.endpoint());
        var _ = port(config.port());
        certificatePair(config);
    }

    /** Whether there are certificates. */
    private static boolean certificatePair(WebhookSource config) {
        boolean certificate = config.serverCertSecret() != null;
        if (certificate != (config.serverKeySecret() != null)) {
            throw new EntryConfigurationException(
                    "serverCertSecret and serverKeySecret come as a pair; add the missing one");
        }
        return certificate;
    }

    @Override
    public void close() {
        dispatcher.remove(endpoint);
    }

    private static String taken(EndpointPattern pattern, int port, EntryKey holder) {
        return "endpoint %s on port %d belongs to the older entry %s. Change endpoint or port, or remove the older one; till then this entry is reachable at the API only"
                .formatted(pattern, port, holder);
    }

    private static int port(@Nullable String text) {
        try {
            int port = Integer.parseInt(text == null ? "" : text);
            if (port > 0 && port < 65_536) {
                return port;
            }
        } catch (NumberFormatException e) {
            throw new EntryConfigurationException(portMessage(text));
        }
        throw new EntryConfigurationException(portMessage(text));
    }

    private static String portMessage(@Nullable String text) {
        return "port is "
                + (text == null ? "missing" : "'" + text + "'")
                + "; write a number from 1 to 65535 in quotes";
    }

    private @Nullable TlsIdentity tls() throws IOException {
        SecretKeySelector certificate = config.serverCertSecret();
        SecretKeySelector key = config.serverKeySecret();
        if (!certificatePair(config) || certificate == null || key == null) {
            return null;
        }
        return new TlsIdentity(
                secret("serverCertSecret", certificate), secret("serverKeySecret", key));
    }

    private String secret(String field, SecretKeySelector selector) throws IOException {
        String name = selector.name() == null ? "" : selector.name();
        String namespace = endpoint.key().namespace();
        return secrets.value(namespace, name, selector.key())
                .orElseThrow(
                        () ->
                                new IOException(
                                        "%s: there is no secret %s in namespace %s with the key %s; create it"
                                                .formatted(
                                                        field, name, namespace, selector.key())));
    }
}
