package dev.millrace.log;

/**
 * What a manifest is known by.
 *
 * @param namespace empty for kinds that have none
 */
public record ManifestKey(String kind, String namespace, String name) {

    /** Reads {@code kind/namespace/name}, the key of its record. */
    public static ManifestKey parse(String key) {
        String[] parts = key.split("/", -1);
        if (parts.length != 3 || parts[0].isEmpty() || parts[2].isEmpty()) {
            throw new IllegalArgumentException("not kind/namespace/name: " + key);
        }
        return new ManifestKey(parts[0], parts[1], parts[2]);
    }

    @Override
    public String toString() {
        return kind + "/" + namespace + "/" + name;
    }
}
