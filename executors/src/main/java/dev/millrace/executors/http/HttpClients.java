package dev.millrace.executors.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Two clients: the usual one, and one that believes every certificate. Both go through the proxies
 * that the environment names.
 */
public final class HttpClients implements AutoCloseable {
    static {
        // Templates may set Host; the JDK's client forbids it unless this was said before it is
        // first used.
        if (System.getProperty("jdk.httpclient.allowRestrictedHeaders") == null) {
            System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host,connection");
        }
        // Nor does it, by default, tell a proxy who asks where the call is encrypted.
        if (System.getProperty("jdk.http.auth.tunneling.disabledSchemes") == null) {
            System.setProperty("jdk.http.auth.tunneling.disabledSchemes", "");
        }
    }

    /** To be called before this process uses any other client of HTTP: see above. */
    public static void prepare() {}

    private final ProxyRules proxies;
    private final HttpClient verifying;
    private final HttpClient believing;

    public HttpClients(ProxyRules proxies) {
        this.proxies = proxies;
        ProxySelector selector = new Selector(proxies);
        verifying = HttpClient.newBuilder().proxy(selector).build();
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Believing()}, null);
            believing = HttpClient.newBuilder().proxy(selector).sslContext(context).build();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has TLS", e);
        }
    }

    /** Neither follows redirects. */
    HttpClient get(boolean insecure) {
        return insecure ? believing : verifying;
    }

    /** What the proxy of a call wants to be told; empty if there is none or it wants nothing. */
    Optional<String> proxyAuthorization(URI uri) throws ProxyRules.UnusableProxyException {
        return proxies.proxyFor(uri).map(ProxyRules.Proxy::authorization);
    }

    private static final class Selector extends ProxySelector {
        private final ProxyRules rules;

        Selector(ProxyRules rules) {
            this.rules = rules;
        }

        @Override
        public List<Proxy> select(URI uri) {
            try {
                return List.of(
                        rules.proxyFor(uri)
                                .map(p -> new InetSocketAddress(p.host(), p.port()))
                                .map(address -> new Proxy(Proxy.Type.HTTP, address))
                                .orElse(Proxy.NO_PROXY));
            } catch (ProxyRules.UnusableProxyException e) {
                throw new IllegalStateException("a call was made that must not be made", e);
            }
        }

        /** There is no other proxy to go to; the call says what happened. */
        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException e) {}
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
