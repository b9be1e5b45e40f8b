package dev.millrace.sensors.matching;

import dev.millrace.schemas.record.EventRef;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The id of an activation, made of what led to it: whoever decides the same again gives it the same
 * id, and its repeat is recognised.
 */
public final class ActivationId {

    private static final int LENGTH = 32;

    private ActivationId() {}

    /**
     * @param events by dependency
     * @param replay the run of a replay, whose activations are new ones; null if live
     */
    public static String of(
            String namespace,
            String sensor,
            String trigger,
            Map<String, EventRef> events,
            @Nullable String replay) {
        // A NUL byte stands in no name and no id that a source gives.
        StringBuilder text = new StringBuilder();
        text.append(namespace).append('\0').append(sensor).append('\0').append(trigger);
        new TreeMap<>(events)
                .forEach(
                        (dependency, event) ->
                                text.append('\0')
                                        .append(dependency)
                                        .append('\0')
                                        .append(event.source())
                                        .append('\0')
                                        .append(event.subject())
                                        .append('\0')
                                        .append(event.id()));
        if (replay != null) {
            text.append("\0replay\0").append(replay);
        }
        return hash(text.toString()).substring(0, LENGTH);
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
