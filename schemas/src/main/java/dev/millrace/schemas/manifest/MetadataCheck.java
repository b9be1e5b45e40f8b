package dev.millrace.schemas.manifest;

import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Places;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The rules of Kubernetes for names, namespaces, labels and keys. */
final class MetadataCheck {

    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern NAME_PREFIX = Pattern.compile("[a-z0-9][-.a-z0-9]*");
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern QUALIFIED_NAME =
            Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final Pattern DATA_KEY = Pattern.compile("[-._a-zA-Z0-9]+");
    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST_DATA_KEY = 253;
    private static final String NAME_RULE =
            "use lower-case letters, digits, '-' and '.', with a letter or digit at both ends";

    private final Kind kind;
    private final Places places;
    private final List<Problem> problems;

    MetadataCheck(Kind kind, Places places, List<Problem> problems) {
        this.kind = kind;
        this.places = places;
        this.problems = problems;
    }

    /** Checks metadata whose structure is sound. */
    void metadata(ObjectMeta metadata) {
        DocumentPath path = DocumentPath.ROOT.key("metadata");
        String name = metadata.name() == null ? "" : metadata.name();
        String generateName = metadata.generateName() == null ? "" : metadata.generateName();
        if (name.isEmpty() && generateName.isEmpty()) {
            error(path.key("name"), "name or generateName is required", "");
        } else if (!name.isEmpty()) {
            name(name, path.key("name"));
        } else if (!NAME_PREFIX.matcher(generateName).matches()) {
            error(
                    path.key("generateName"),
                    "'" + generateName + "' cannot begin a name",
                    NAME_RULE);
        }
        namespace(metadata.namespace(), path.key("namespace"));
        labels(metadata.labels(), path.key("labels"));
        metadata.annotations()
                .keySet()
                .forEach(key -> qualifiedKey(key, path.key("annotations").key(key)));
    }

    /** Checks the keys of a Secret or a ConfigMap, and that base64 is base64. */
    void data(JsonNode tree, String field, boolean base64) {
        DocumentPath path = DocumentPath.ROOT.key(field);
        tree.path(field)
                .properties()
                .forEach(
                        member -> {
                            DocumentPath memberPath = path.key(member.getKey());
                            String key = member.getKey();
                            if (!DATA_KEY.matcher(key).matches()
                                    || key.length() > LONGEST_DATA_KEY) {
                                error(
                                        memberPath,
                                        "'" + key + "' cannot be a key",
                                        "use letters, digits, '-', '_' and '.'");
                            }
                            if (base64
                                    && member.getValue().isString()
                                    && !isBase64(member.getValue().stringValue())) {
                                error(
                                        memberPath,
                                        "is not base64",
                                        kind == Kind.SECRET
                                                ? "plain text goes into stringData"
                                                : "plain text goes into data");
                            }
                        });
    }

    private static boolean isBase64(String text) {
        try {
            Secret.decode(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void name(String name, DocumentPath path) {
        if (name.length() > kind.longestName()) {
            error(
                    path,
                    "'"
                            + name
                            + "' has "
                            + name.length()
                            + " characters, a "
                            + kind
                            + " may have "
                            + kind.longestName(),
                    "choose a shorter name");
        } else if (!SUBDOMAIN.matcher(name).matches()) {
            error(path, "'" + name + "' is not a valid name", NAME_RULE);
        }
    }

    private void namespace(@Nullable String namespace, DocumentPath path) {
        if (namespace == null || namespace.isEmpty()) {
            return;
        }
        if (!kind.isNamespaced()) {
            problems.add(
                    Problem.warning(
                            places.of(path),
                            path.toString(),
                            "a " + kind + " lives in no namespace",
                            "remove it"));
        } else if (namespace.length() > LONGEST_LABEL || !DNS_LABEL.matcher(namespace).matches()) {
            error(
                    path,
                    "'" + namespace + "' is not a valid namespace",
                    "use at most 63 lower-case letters, digits and '-', with a letter or digit at both ends");
        }
    }

    private void labels(Map<String, String> labels, DocumentPath path) {
        labels.forEach(
                (key, value) -> {
                    qualifiedKey(key, path.key(key));
                    if (!value.isEmpty() && !isQualifiedName(value)) {
                        error(
                                path.key(key),
                                "'" + value + "' is not a valid label value",
                                "use at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends");
                    }
                });
    }

    private void qualifiedKey(String key, DocumentPath path) {
        int slash = key.indexOf('/');
        boolean prefixFits = slash < 0 || SUBDOMAIN.matcher(key.substring(0, slash)).matches();
        if (!prefixFits || !isQualifiedName(key.substring(slash + 1))) {
            error(path, "'" + key + "' is not a valid key", "write name or domain/name");
        }
    }

    private static boolean isQualifiedName(String name) {
        return name.length() <= LONGEST_LABEL && QUALIFIED_NAME.matcher(name).matches();
    }

    private void error(DocumentPath path, String message, String hint) {
        problems.add(Problem.error(places.of(path), path.toString(), message, hint));
    }
}
