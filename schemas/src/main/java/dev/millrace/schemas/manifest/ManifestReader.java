package dev.millrace.schemas.manifest;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.yaml.Document;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Documents;
import dev.millrace.schemas.yaml.Fault;
import dev.millrace.schemas.yaml.Place;
import dev.millrace.schemas.yaml.Places;
import dev.millrace.schemas.yaml.YamlReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads manifests from YAML or JSON text and checks their structure. Whatever is wrong becomes a
 * {@link Problem}.
 */
public final class ManifestReader {

    private static final ManifestShapes SHAPES = ManifestShapes.ALL;

    /** What becomes of fields that nobody knows in kinds that refuse them. */
    public enum UnknownFields {
        /** They are errors. */
        REFUSED,
        /** They are warnings, and left out of the manifest. */
        LEFT_OUT
    }

    private final UnknownFields unknownFields;
    private final List<ManifestDocument> manifests = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();

    private ManifestReader(UnknownFields unknownFields) {
        this.unknownFields = unknownFields;
    }

    /**
     * Reads all documents of a text.
     *
     * @param sourceName what problems call the text, a file name as a rule
     */
    public static ReadResult read(String sourceName, String text) {
        return read(sourceName, text, UnknownFields.REFUSED);
    }

    /** {@link #read(String, String)} that says what becomes of unknown fields. */
    public static ReadResult read(String sourceName, String text, UnknownFields unknownFields) {
        Documents documents = YamlReader.read(sourceName, text);
        ManifestReader reader = new ManifestReader(unknownFields);
        documents.documents().forEach(reader::read);
        documents.faults().forEach(fault -> reader.problems.add(problem(fault)));
        reader.problems.sort(
                Comparator.comparingInt((Problem p) -> p.place().line())
                        .thenComparingInt(p -> p.place().column()));
        return new ReadResult(reader.manifests, reader.problems);
    }

    /** Checks an object that did not come from a text, one sent as JSON for instance. */
    public static ReadResult check(String sourceName, JsonNode tree) {
        ManifestReader reader = new ManifestReader(UnknownFields.REFUSED);
        reader.read(new Document(tree, Places.nowhere(sourceName), List.of()));
        return new ReadResult(reader.manifests, reader.problems);
    }

    private void read(Document document) {
        List<Problem> own = new ArrayList<>();
        document.faults().forEach(fault -> own.add(problem(fault)));
        if (isList(document.tree())) {
            problems.addAll(own);
            items(document).forEach(this::read);
            return;
        }
        manifest(document.tree(), document.places(), own)
                .ifPresent(m -> manifests.add(new ManifestDocument(m, document.places(), own)));
        problems.addAll(own);
    }

    /** What {@code kubectl get -o yaml} prints when it prints several objects. */
    private static boolean isList(JsonNode tree) {
        return tree.path("kind").asString("").equals("List") && tree.path("items").isArray();
    }

    private static List<Document> items(Document list) {
        List<Document> items = new ArrayList<>();
        for (JsonNode item : list.tree().path("items")) {
            DocumentPath path = DocumentPath.ROOT.key("items").index(items.size());
            items.add(new Document(item, list.places().below(path), List.of()));
        }
        return items;
    }

    private static Problem problem(Fault fault) {
        return Problem.error(fault.place(), fault.path().toString(), fault.message(), fault.hint());
    }

    private Optional<Manifest> manifest(JsonNode tree, Places places, List<Problem> own) {
        if (!tree.isObject()) {
            own.add(
                    Problem.error(
                            places.start(),
                            "",
                            "a manifest is an object",
                            "begin with apiVersion: and kind:"));
            return Optional.empty();
        }
        Optional<Kind> kind = kind(tree, places, own);
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        StructureCheck structure =
                new StructureCheck(
                        SHAPES.records(),
                        places,
                        severity(kind.get()),
                        kind.get() != Kind.SECRET,
                        own);
        structure.fields(tree, fields(kind.get()), DocumentPath.ROOT);
        if (!hasReadableMetadata(tree, places)) {
            // What its metadata would be is enough to look at the rest.
            return Optional.of(
                    new Manifest(
                            kind.get().apiVersion(),
                            kind.get(),
                            sound(kind.get(), Mending.of(kind.get(), tree).tree()).metadata(),
                            tree));
        }
        ObjectMeta metadata = Json.convert(tree.path("metadata"), ObjectMeta.class);
        MetadataCheck check = new MetadataCheck(kind.get(), places, own);
        check.metadata(metadata);
        switch (kind.get()) {
            case SECRET -> {
                check.data(tree, "data", true);
                check.data(tree, "stringData", false);
            }
            case CONFIG_MAP -> {
                check.data(tree, "data", false);
                check.data(tree, "binaryData", true);
            }
            case WORKFLOW,
                    WORKFLOW_TEMPLATE,
                    CLUSTER_WORKFLOW_TEMPLATE,
                    CRON_WORKFLOW,
                    WORKFLOW_EVENT_BINDING,
                    EVENT_SOURCE,
                    SENSOR,
                    EVENT_BUS -> {}
        }
        return Optional.of(
                new Manifest(kind.get().apiVersion(), kind.get(), metadata, kept(tree, structure)));
    }

    /** Those that make the kind known are checked already. */
    private static List<Shape.Field> fields(Kind kind) {
        return SHAPES.of(kind).stream()
                .map(
                        field ->
                                List.of("apiVersion", "kind").contains(field.name())
                                        ? new Shape.Field(field.name(), field.shape(), false)
                                        : field)
                .toList();
    }

    /** A manifest of a tree whose structure is sound. */
    static Manifest sound(Kind kind, JsonNode tree) {
        return new Manifest(
                kind.apiVersion(),
                kind,
                Json.convert(tree.path("metadata"), ObjectMeta.class),
                tree);
    }

    private Problem.Severity severity(Kind kind) {
        return switch (unknownFields) {
            case REFUSED -> kind.unknownFields();
            case LEFT_OUT -> Problem.Severity.WARNING;
        };
    }

    /** The tree without what is left out. */
    private JsonNode kept(JsonNode tree, StructureCheck structure) {
        if (unknownFields == UnknownFields.REFUSED || structure.unknown().isEmpty()) {
            return tree;
        }
        JsonNode kept = tree.deepCopy();
        for (DocumentPath path : structure.unknown()) {
            if (path.segments().getLast() instanceof DocumentPath.Key(String name)
                    && kept.at(path.parent().pointer()) instanceof ObjectNode object) {
                object.remove(name);
            }
        }
        return kept;
    }

    /** Unknown fields are no hindrance: an invalid object should still be known by its name. */
    private static boolean hasReadableMetadata(JsonNode tree, Places places) {
        List<Problem> problems = new ArrayList<>();
        new StructureCheck(SHAPES.records(), places, Problem.Severity.WARNING, false, problems)
                .fields(
                        tree.path("metadata"),
                        SHAPES.records().fields(ObjectMeta.class),
                        DocumentPath.ROOT.key("metadata"));
        return tree.path("metadata").isObject() && problems.stream().noneMatch(Problem::isError);
    }

    private static Optional<Kind> kind(JsonNode tree, Places places, List<Problem> problems) {
        String written = tree.path("kind").asString("");
        String apiVersion = tree.path("apiVersion").asString("");
        Place place = places.of(DocumentPath.ROOT.key("kind"));
        if (written.isEmpty()) {
            Optional<String> misspelt = misspelt(tree, "kind");
            problems.add(
                    misspelt.map(name -> misspelt(name, "kind", places))
                            .orElseGet(
                                    () ->
                                            Problem.error(
                                                    place,
                                                    "kind",
                                                    "is required but missing",
                                                    "one of " + knownKinds())));
            return misspelt.flatMap(name -> Kind.named(tree.path(name).asString("")));
        }
        Optional<Kind> kind = Kind.named(written);
        if (kind.isEmpty()) {
            Problem unknown = unknownKind(written, apiVersion, place);
            problems.add(unknown);
            return unknown.isError() ? nearest(written) : Optional.empty();
        }
        if (!apiVersion.equals(kind.get().apiVersion())) {
            if (apiVersion.isEmpty() && misspelt(tree, "apiVersion").isPresent()) {
                // The check of the fields says so.
                return kind;
            }
            problems.add(
                    Problem.error(
                            places.of(DocumentPath.ROOT.key("apiVersion")),
                            "apiVersion",
                            apiVersion.isEmpty()
                                    ? "is required but missing"
                                    : "Millrace knows no "
                                            + kind.get()
                                            + " of '"
                                            + apiVersion
                                            + "'",
                            "write " + kind.get().apiVersion()));
            return apiVersion.isEmpty() || apiVersion.startsWith("argoproj.io/")
                    ? kind
                    : Optional.empty();
        }
        return kind;
    }

    /**
     * Files often hold Services and the like beside manifests; only what was meant for us is an
     * error.
     */
    private static Problem unknownKind(String written, String apiVersion, Place place) {
        String message = "unknown kind " + written + "; Millrace knows " + knownKinds();
        String hint = nearest(written).map(kind -> "did you mean " + kind + "?").orElse("");
        boolean ours = apiVersion.startsWith("argoproj.io/") || apiVersion.isEmpty();
        return ours
                ? Problem.error(place, "kind", message, hint)
                : Problem.warning(place, "kind", message, "it is left out");
    }

    /** The name under which a field of every kind was probably written. */
    private static Optional<String> misspelt(JsonNode tree, String field) {
        return MisspeltFields.of(tree, SHAPES.of(Kind.WORKFLOW)).entrySet().stream()
                .filter(entry -> entry.getValue().equals(field))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static Problem misspelt(String written, String meant, Places places) {
        return Problem.error(
                places.of(DocumentPath.ROOT.key(written)),
                written,
                "unknown field '" + written + "'",
                "did you mean " + meant + "?");
    }

    private static Optional<Kind> nearest(String written) {
        return NearestName.to(written, Arrays.stream(Kind.values()).map(Kind::yamlName).toList())
                .flatMap(Kind::named);
    }

    private static String knownKinds() {
        return Arrays.stream(Kind.values()).map(Kind::yamlName).collect(Collectors.joining(", "));
    }
}
