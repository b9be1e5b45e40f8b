package dev.millrace.schemas.event;

import dev.millrace.schemas.workflow.SecretKeySelector;
import org.jspecify.annotations.Nullable;

/** How a client connects by TLS; the secrets hold PEM text. */
public record TlsConfig(
        @Nullable SecretKeySelector caCertSecret,
        @Nullable SecretKeySelector clientCertSecret,
        @Nullable SecretKeySelector clientKeySecret,
        @Nullable Boolean insecureSkipVerify,
        @Nullable Boolean enabled) {}
