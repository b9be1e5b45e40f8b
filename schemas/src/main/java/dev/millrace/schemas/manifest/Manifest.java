package dev.millrace.schemas.manifest;

import dev.millrace.schemas.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object as its author wrote it.
 *
 * @param tree the whole object, also the parts that no record describes
 */
public record Manifest(String apiVersion, Kind kind, ObjectMeta metadata, JsonNode tree) {

    /** The namespace of objects that name none. */
    public static final String DEFAULT_NAMESPACE = "default";

    /**
     * {@code metadata.name}, or null if the name is to be generated from {@code
     * metadata.generateName}.
     */
    public @Nullable String name() {
        return metadata.name();
    }

    /** The namespace, {@code default} if none is written; empty for kinds that live in none. */
    public String namespace() {
        if (!kind.isNamespaced()) {
            return "";
        }
        String namespace = metadata.namespace();
        return namespace == null || namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace;
    }

    /** The same with that namespace, if it names none and lives in one. */
    public Manifest in(String namespace) {
        String own = metadata.namespace();
        if (!kind.isNamespaced() || (own != null && !own.isEmpty())) {
            return this;
        }
        ObjectNode placed = tree.deepCopy().asObject();
        if (placed.path("metadata") instanceof ObjectNode written) {
            written.put("namespace", namespace);
        }
        return new Manifest(apiVersion, kind, metadata.in(namespace), placed);
    }

    /**
     * The spec (for Secret and ConfigMap the object itself) as the record of its kind, see {@link
     * Kind#content()}. Null members count as absent, except within free trees.
     *
     * @throws IllegalArgumentException if the record belongs to another kind
     * @throws tools.jackson.core.JacksonException if the manifest had errors when it was read
     */
    public <T extends Record> T content(Class<T> record) {
        if (record != kind.content()) {
            throw new IllegalArgumentException(
                    "a "
                            + kind
                            + " is described by "
                            + kind.content().getSimpleName()
                            + ", not "
                            + record.getSimpleName());
        }
        JsonNode content = kind.hasSpec() ? tree.path("spec") : tree;
        JsonNode present =
                ManifestShapes.ALL
                        .records()
                        .withoutNulls(
                                content.isObject() ? content : Json.object(),
                                new Shape.Struct(record));
        return Json.convert(present, record);
    }

    /** Kind and name only: the tree may hold secrets, and manifests stand in logs. */
    @Override
    public String toString() {
        String name = metadata.name() != null ? metadata.name() : metadata.generateName() + "…";
        return kind + " " + (kind.isNamespaced() ? namespace() + "/" : "") + name;
    }
}
