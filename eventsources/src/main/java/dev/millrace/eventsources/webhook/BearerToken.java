package dev.millrace.eventsources.webhook;

import dev.millrace.log.Secrets;
import dev.millrace.schemas.workflow.SecretKeySelector;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The check of {@code authSecret}. The secret is looked up for every request, so a changed one
 * holds at once.
 */
final class BearerToken {

    private static final String SCHEME = "Bearer ";

    private final Secrets secrets;
    private final String namespace;
    private final @Nullable SecretKeySelector selector;

    BearerToken(Secrets secrets, String namespace, @Nullable SecretKeySelector selector) {
        this.secrets = secrets;
        this.namespace = namespace;
        this.selector = selector;
    }

    /** The answer to a request that may not come in. */
    Optional<WebhookResponse> refusal(WebhookRequest request) {
        if (selector == null) {
            return Optional.empty();
        }
        String header = request.header("Authorization");
        if (header == null || !header.strip().startsWith(SCHEME)) {
            return Optional.of(WebhookResponse.of(401, "Invalid Authorization Header"));
        }
        Optional<String> secret =
                selector.name() == null
                        ? Optional.empty()
                        : secrets.value(namespace, selector.name(), selector.key());
        if (secret.isEmpty()) {
            return Optional.of(WebhookResponse.of(500, "Error loading auth token"));
        }
        String token = header.strip().substring(SCHEME.length());
        boolean same = MessageDigest.isEqual(bytes(token), bytes(secret.get()));
        return same ? Optional.empty() : Optional.of(WebhookResponse.of(401, "Invalid Auth token"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
