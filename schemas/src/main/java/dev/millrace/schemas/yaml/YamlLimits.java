package dev.millrace.schemas.yaml;

/**
 * How much a text may ask for.
 *
 * @param characters length of the text in UTF-16 units
 * @param depth of nested lists and objects
 * @param nodes scalars, lists and objects in all documents together, aliases expanded; this stops
 *     alias bombs
 */
public record YamlLimits(int characters, int depth, int nodes) {

    /**
     * 3 Mi characters are twice what etcd takes for one object; 200,000 nodes are ten times the
     * largest manifest we know.
     */
    public static final YamlLimits DEFAULT = new YamlLimits(3 * 1024 * 1024, 100, 200_000);

    public YamlLimits {
        if (characters < 1 || depth < 1 || nodes < 1) {
            throw new IllegalArgumentException("limits must be positive");
        }
    }
}
