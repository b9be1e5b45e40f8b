package dev.millrace.executors.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of Go's client. */
class ProxyRulesTest {

    private static String proxyFor(String uri, Map<String, String> environment) throws Exception {
        return ProxyRules.of(environment)
                .proxyFor(URI.create(uri))
                .map(p -> p.host() + ":" + p.port())
                .orElse("direct");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "example.com | http://example.com/ | direct",
                "example.com | http://EXAMPLE.com:8080/ | direct",
                "example.com | http://www.example.com/ | direct",
                "example.com | http://notexample.com/ | proxy:8080",
                "Example.COM | http://example.com/ | direct",
                ".example.com | http://example.com/ | proxy:8080",
                ".example.com | http://a.b.example.com/ | direct",
                "*.example.com | http://a.example.com/ | direct",
                "*.example.com | http://example.com/ | proxy:8080",
                "example.com:80 | http://example.com/ | direct",
                "example.com:80 | http://example.com:81/ | proxy:8080",
                "a.com, example.com ,, | http://example.com/ | direct",
                ":80 | http://example.com/ | proxy:8080",
                "* | http://example.com/ | direct",
                "10.0.0.0/8 | http://10.1.2.3/ | direct",
                "10.0.0.0/8 | http://11.1.2.3/ | proxy:8080",
                "10.1.2.3 | http://10.1.2.3:99/ | direct",
                "10.1.2.3:98 | http://10.1.2.3:99/ | proxy:8080",
                "10.0.0.0/33 | http://10.1.2.3/ | proxy:8080",
                "::ffff:1/200 | http://[fe80::1]/ | proxy:8080",
                "fe80::/10 | http://[fe80::1]/ | direct",
                "fe80::1 | http://[fe80:0::1]/ | direct",
                "[fe80::1]:80 | http://[fe80::1]/ | direct",
                "[fe80::1]:80 | http://[fe80::1]:81/ | proxy:8080",
                "'' | http://localhost:1/ | direct",
                "'' | http://127.9.9.9/ | direct",
                "'' | http://[::1]/ | direct",
                "'' | http://localhost.example/ | proxy:8080",
                "bücher.example | http://xn--bcher-kva.example/ | direct"
            })
    void noProxyIsReadAsGoReadsIt(String noProxy, String uri, String expected) throws Exception {
        Map<String, String> environment =
                Map.of("HTTP_PROXY", "http://proxy:8080", "NO_PROXY", noProxy);
        assertThat(proxyFor(uri, environment)).isEqualTo(expected);
    }

    @Test
    void everySchemeHasAProxyOfItsOwnAndSmallLettersCountLast() throws Exception {
        Map<String, String> environment =
                Map.of("http_proxy", "plain", "HTTPS_PROXY", "secure:3128", "https_proxy", "other");
        assertThat(proxyFor("http://x/", environment)).isEqualTo("plain:80");
        assertThat(proxyFor("https://x/", environment)).isEqualTo("secure:3128");
        assertThat(proxyFor("https://x/", Map.of("HTTP_PROXY", "plain"))).isEqualTo("direct");
        assertThat(proxyFor("http://x/", Map.of())).isEqualTo("direct");
    }

    @Test
    void userAndPasswordAreForTheProxyAlone() throws Exception {
        assertThat(
                        ProxyRules.of(Map.of("HTTP_PROXY", "http://me:p%40ss@proxy:1"))
                                .proxyFor(URI.create("http://x/"))
                                .orElseThrow())
                .isEqualTo(new ProxyRules.Proxy("proxy", 1, "Basic bWU6cEBzcw=="));
    }

    @ParameterizedTest
    @ValueSource(strings = {"socks5://me:secret@x:1", "http://me:secret@", "http://me:secret@a b/"})
    void aProxyThatCannotBeUsedIsAnErrorOfTheCallsThatNeedIt(String proxy) throws Exception {
        ProxyRules rules = ProxyRules.of(Map.of("HTTPS_PROXY", proxy));
        assertThat(rules.proxyFor(URI.create("http://x/"))).isEmpty();
        assertThat(rules.proxyFor(URI.create("https://localhost/"))).isEmpty();
        assertThatThrownBy(() -> rules.proxyFor(URI.create("https://x/")))
                .isInstanceOf(ProxyRules.UnusableProxyException.class)
                .hasMessageContaining("HTTPS_PROXY")
                .hasMessageNotContaining("secret");
    }
}
