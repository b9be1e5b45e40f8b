package dev.millrace.schemas.sensor;

import dev.millrace.schemas.event.BasicAuth;
import dev.millrace.schemas.event.TlsConfig;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request.
 *
 * @param method absent means POST
 * @param timeout seconds; absent means 60
 * @param host value of the Host header if it is not that of the URL
 */
public record HttpTrigger(
        @Nullable String url,
        List<TriggerParameter> payload,
        @Nullable TlsConfig tls,
        @Nullable String method,
        List<TriggerParameter> parameters,
        @Nullable Long timeout,
        @Nullable BasicAuth basicAuth,
        Map<String, String> headers,
        List<SecureHeader> secureHeaders,
        List<TriggerParameter> dynamicHeaders,
        @Nullable String host)
        implements TriggerAction {

    public HttpTrigger {
        payload = payload == null ? List.of() : payload;
        parameters = parameters == null ? List.of() : parameters;
        headers = headers == null ? Map.of() : headers;
        secureHeaders = secureHeaders == null ? List.of() : secureHeaders;
        dynamicHeaders = dynamicHeaders == null ? List.of() : dynamicHeaders;
    }

    @Override
    public String type() {
        return "http";
    }
}
