package dev.millrace.sensors;

/** The key of a trigger's matches and activations. */
public final class TriggerKey {

    private TriggerKey() {}

    /** {@code namespace/sensor/trigger}. */
    public static String of(String namespace, String sensor, String trigger) {
        return namespace + "/" + sensor + "/" + trigger;
    }
}
