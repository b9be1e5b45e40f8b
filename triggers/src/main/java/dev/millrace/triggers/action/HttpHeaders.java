package dev.millrace.triggers.action;

import dev.millrace.log.ConfigMaps;
import dev.millrace.log.Secrets;
import dev.millrace.schemas.event.BasicAuth;
import dev.millrace.schemas.sensor.HttpTrigger;
import dev.millrace.schemas.sensor.SecureHeader;
import dev.millrace.schemas.sensor.TriggerParameter;
import dev.millrace.schemas.workflow.ConfigMapKeySelector;
import dev.millrace.schemas.workflow.SecretKeySelector;
import dev.millrace.triggers.parameter.Parameters;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a request: as written, then those whose values are kept elsewhere, then those
 * taken from events, which replace others of the same name.
 */
final class HttpHeaders {

    private static final List<String> COMPUTED =
            List.of("Host", "Content-Length", "Transfer-Encoding", "Trailer");

    private final Secrets secrets;
    private final ConfigMaps configMaps;

    HttpHeaders(Secrets secrets, ConfigMaps configMaps) {
        this.secrets = secrets;
        this.configMaps = configMaps;
    }

    /** The headers, or why there are none. */
    sealed interface Made {
        record Done(Map<String, String> headers) implements Made {}

        record Failed(String message) implements Made {}

        record Unsupported(String message) implements Made {}
    }

    Made of(Attempt attempt, HttpTrigger http) {
        String namespace = attempt.activation().namespace();
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put(HttpExecutor.IDEMPOTENCY_KEY, attempt.activation().id());
        http.headers().forEach((name, value) -> put(headers, name, value));
        // What Go's client takes from the request itself, whatever its headers say.
        COMPUTED.forEach(headers::remove);
        if (http.host() != null && !http.host().isEmpty()) {
            put(headers, "Host", http.host());
        }
        for (SecureHeader header : http.secureHeaders()) {
            Optional<String> value = value(namespace, header.valueFrom());
            if (value.isEmpty()) {
                return new Made.Failed(
                        "secureHeaders: there is no value for "
                                + header.name()
                                + "; its Secret or ConfigMap, or the key in it, is missing in namespace "
                                + namespace);
            }
            put(headers, String.valueOf(header.name()), value.get());
        }
        if (http.basicAuth() != null) {
            Optional<String> basic = basic(namespace, http.basicAuth());
            if (basic.isEmpty()) {
                return new Made.Failed(
                        "basicAuth: the Secret of user or password, or the key in it, is missing in"
                                + " namespace "
                                + namespace);
            }
            put(headers, "Authorization", basic.get());
        }
        return dynamic(attempt.parameters(), http.dynamicHeaders(), headers);
    }

    private static Made dynamic(
            Parameters parameters, List<TriggerParameter> dynamic, Map<String, String> headers) {
        for (TriggerParameter parameter : dynamic) {
            // As a document of its own: a name with dots is no path here.
            Parameters.Applied value =
                    parameters.payload(List.of(new TriggerParameter(parameter.src(), "", null)));
            switch (value) {
                case Parameters.Applied.Done(String text) -> {
                    if (!text.isEmpty()) {
                        put(headers, String.valueOf(parameter.dest()), text);
                    }
                }
                case Parameters.Applied.Failed(String message) -> {
                    return new Made.Failed(message);
                }
                case Parameters.Applied.Unsupported(String message) -> {
                    return new Made.Unsupported(message);
                }
            }
        }
        return new Made.Done(headers);
    }

    /** The new spelling of a name is kept. */
    private static void put(Map<String, String> headers, String name, String value) {
        headers.remove(name);
        headers.put(name, value);
    }

    private Optional<String> value(String namespace, SecureHeader.@Nullable ValueFrom from) {
        if (from == null) {
            return Optional.empty();
        }
        if (from.secretKeyRef() != null) {
            return secret(namespace, from.secretKeyRef());
        }
        ConfigMapKeySelector map = from.configMapKeyRef();
        return map == null
                ? Optional.empty()
                : configMaps.value(
                        namespace, String.valueOf(map.name()), String.valueOf(map.key()));
    }

    private Optional<String> basic(String namespace, BasicAuth auth) {
        Optional<String> user = secret(namespace, auth.username());
        Optional<String> password = secret(namespace, auth.password());
        if (user.isEmpty() || password.isEmpty()) {
            return Optional.empty();
        }
        String both = user.get() + ":" + password.get();
        return Optional.of(
                "Basic "
                        + Base64.getEncoder()
                                .encodeToString(both.getBytes(StandardCharsets.UTF_8)));
    }

    private Optional<String> secret(String namespace, @Nullable SecretKeySelector selector) {
        return selector == null
                ? Optional.empty()
                : secrets.value(
                        namespace, String.valueOf(selector.name()), String.valueOf(selector.key()));
    }
}
