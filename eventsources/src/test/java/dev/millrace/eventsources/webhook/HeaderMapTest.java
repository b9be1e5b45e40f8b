package dev.millrace.eventsources.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.eventsources.webhook.WebhookRequest.Header;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeaderMapTest {

    @Test
    void namesGetTheCanonicalFormOfGo() {
        assertThat(HeaderMap.canonical("x-github-event")).isEqualTo("X-Github-Event");
        assertThat(HeaderMap.canonical("X-SP")).isEqualTo("X-Sp");
        assertThat(HeaderMap.canonical("X_Under")).isEqualTo("X_under");
        assertThat(HeaderMap.canonical("with space")).isEqualTo("with space");
        assertThat(HeaderMap.canonical("-a")).isEqualTo("-A");
    }

    @Test
    void repeatedHeadersBecomeSeveralItemsAndValuesLoseTheirMargins() {
        assertThat(map(new Header("X-Multi", "a"), new Header("x-multi", " b ")))
                .isEqualTo(Map.of("X-Multi", List.of("a", "b")));
    }

    @Test
    void hostAndTransferEncodingAreLeftOutButNotTheLength() {
        assertThat(
                        map(
                                new Header("Host", "h"),
                                new Header("Transfer-Encoding", "chunked"),
                                new Header("Content-Length", "7")))
                .isEqualTo(Map.of("Content-Length", List.of("7")));
    }

    @Test
    void everyAuthorizationIsMaskedButAnEmptyOne() {
        assertThat(map(new Header("authorization", "Basic abc")))
                .isEqualTo(Map.of("Authorization", List.of("*** Masked Auth Secret ***")));
        assertThat(map(new Header("Authorization", "")))
                .isEqualTo(Map.of("Authorization", List.of("")));
    }

    private static Map<String, List<String>> map(Header... headers) {
        return HeaderMap.of(List.of(headers));
    }
}
