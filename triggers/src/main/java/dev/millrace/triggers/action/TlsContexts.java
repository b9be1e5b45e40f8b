package dev.millrace.triggers.action;

import dev.millrace.log.Secrets;
import dev.millrace.schemas.event.TlsConfig;
import dev.millrace.schemas.workflow.SecretKeySelector;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Whom a client trusts, from {@code tls} blocks: the system's roots, a CA of a Secret, or anybody.
 */
final class TlsContexts {

    private final Secrets secrets;

    TlsContexts(Secrets secrets) {
        this.secrets = secrets;
    }

    /** A context, or why there is none. */
    sealed interface Made {
        record Done(SSLContext context) implements Made {}

        record Failed(String message) implements Made {}
    }

    Made of(String namespace, TlsConfig tls) {
        if (tls.clientCertSecret() != null || tls.clientKeySecret() != null) {
            return new Made.Failed(
                    "tls: client certificates are not supported yet; leave clientCertSecret and"
                            + " clientKeySecret out");
        }
        try {
            if (Boolean.TRUE.equals(tls.insecureSkipVerify())) {
                return new Made.Done(context(new TrustManager[] {new TrustsAnybody()}));
            }
            SecretKeySelector ca = tls.caCertSecret();
            if (ca == null) {
                return new Made.Done(SSLContext.getDefault());
            }
            Optional<String> pem =
                    secrets.value(namespace, String.valueOf(ca.name()), String.valueOf(ca.key()));
            return pem.isEmpty()
                    ? new Made.Failed(
                            "tls: there is no key "
                                    + ca.key()
                                    + " in Secret "
                                    + ca.name()
                                    + " of namespace "
                                    + namespace)
                    : new Made.Done(context(trusting(pem.get())));
        } catch (GeneralSecurityException | IOException e) {
            return new Made.Failed("tls: " + e.getMessage());
        }
    }

    private static SSLContext context(TrustManager[] trust) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust, null);
        return context;
    }

    private static TrustManager[] trusting(String pem)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int number = 0;
        for (Certificate certificate :
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(
                                new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))) {
            store.setCertificateEntry("ca-" + number++, certificate);
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /**
     * What {@code insecureSkipVerify} asks for. The extended kind: with the plain one the JDK would
     * still compare host names.
     */
    private static final class TrustsAnybody extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(
                X509Certificate[] chain, String type, @Nullable Socket socket) {}

        @Override
        public void checkServerTrusted(
                X509Certificate[] chain, String type, @Nullable Socket socket) {}

        @Override
        public void checkClientTrusted(
                X509Certificate[] chain, String type, @Nullable SSLEngine engine) {}

        @Override
        public void checkServerTrusted(
                X509Certificate[] chain, String type, @Nullable SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
