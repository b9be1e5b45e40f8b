package dev.millrace.executors.http;

import java.net.Socket;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Two clients: the usual one, and one that believes every certificate. */
final class HttpClients implements AutoCloseable {
    static {
        // Templates may set Host; the JDK's client forbids it unless this was said before it is
        // first used.
        if (System.getProperty("jdk.httpclient.allowRestrictedHeaders") == null) {
            System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host,connection");
        }
    }

    private final HttpClient verifying = HttpClient.newHttpClient();
    private final HttpClient believing;

    HttpClients() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Believing()}, null);
            believing = HttpClient.newBuilder().sslContext(context).build();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has TLS", e);
        }
    }

    /** Neither follows redirects. */
    HttpClient get(boolean insecure) {
        return insecure ? believing : verifying;
    }

    @Override
    public void close() {
        verifying.shutdownNow();
        believing.shutdownNow();
    }

    /** What {@code insecureSkipVerify} asks for: neither issuer nor host name is checked. */
    private static final class Believing extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

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
