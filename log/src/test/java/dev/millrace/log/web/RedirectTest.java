package dev.millrace.log.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a redirect makes of a request. */
final class RedirectTest {

    private static HttpHeaders location(String location) {
        return HttpHeaders.of(Map.of("Location", List.of(location)), (_, _) -> true);
    }

    private static Redirect redirect(String from, int status, String location) {
        return Redirect.of(URI.create(from), status, location(location)).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "301, POST, GET, false",
        "302, PUT, GET, false",
        "303, HEAD, HEAD, false",
        "307, POST, POST, true",
        "308, DELETE, DELETE, true"
    })
    void theStatusSaysWhatStays(int status, String method, String next, boolean body) {
        Redirect redirect = redirect("http://a/x", status, "/y?z");
        assertThat(redirect.to()).hasToString("http://a/y?z");
        assertThat(redirect.method(method)).isEqualTo(next);
        assertThat(redirect.keeps()).isEqualTo(body);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 300, 304, 305, 404})
    void otherAnswersAreNone(int status) {
        assertThat(Redirect.of(URI.create("http://a/"), status, location("/y"))).isEmpty();
        assertThat(Redirect.of(URI.create("http://a/"), 301, location(""))).isEmpty();
    }

    @Test
    void whatIsMeantForOneHostIsToldToThoseBelowItOnly() {
        for (String to : List.of("http://a.org/", "http://b.a.org/", "http://A.ORG:81/")) {
            Redirect within = redirect("http://a.org/", 302, to);
            assertThat(within.takes("Authorization", false)).isTrue();
            assertThat(within.takes("X-Key", true)).isTrue();
        }
        for (String to : List.of("http://org/", "http://xa.org/", "http://b.org/a.org")) {
            Redirect away = redirect("http://a.org/", 302, to);
            for (String header : List.of("authorization", "Cookie", "Host", "WWW-Authenticate")) {
                assertThat(away.takes(header, false)).isFalse();
            }
            assertThat(away.takes("X-Key", true)).isFalse();
            assertThat(away.takes("X-Key", false)).isTrue();
        }
    }

    @Test
    void theRefererTellsNeitherPasswordsNorEncryptedAddresses() {
        Redirect redirect = redirect("https://me:secret@a/x", 302, "https://b/");
        assertThat(redirect.referer()).hasValue("https://a/x");
        assertThat(redirect.takes("Referer", false)).isFalse();
        assertThat(redirect("https://a/x", 302, "http://b/").referer()).isEqualTo(Optional.empty());
        assertThat(redirect("https://a/x", 302, "http://b/").leavesEncryption()).isTrue();
    }

    @Test
    void whatIsNoAddressIsSaidToBeNone() {
        assertThat(redirect("http://a/", 302, "/a b").to()).hasToString("http://a/a%20b");
        assertThatThrownBy(() -> redirect("http://a/", 302, "http://[x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("it redirects to 'http://[x', which is no address");
    }
}
