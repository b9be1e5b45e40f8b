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
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Reads manifests from YAML or JSON text and checks their structure. Whatever is wrong becomes a
 * {@link Problem}.
 */
public final class ManifestReader {

    private static final ManifestShapes SHAPES = new ManifestShapes();

    private ManifestReader() {}

    /**
     * Reads all documents of a text.
     *
     * @param sourceName what problems call the text, a file name as a rule
     */
    public static ReadResult read(String sourceName, String text) {
        Documents documents = YamlReader.read(sourceName, text);
        List<ManifestDocument> manifests = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        for (Document document : documents.documents()) {
            List<Problem> own = new ArrayList<>();
            document.faults().forEach(fault -> own.add(problem(fault)));
            Optional<Manifest> manifest = manifest(document, own);
            manifest.ifPresent(m -> manifests.add(new ManifestDocument(m, document.places(), own)));
            problems.addAll(own);
        }
        documents.faults().forEach(fault -> problems.add(problem(fault)));
        problems.sort(
                Comparator.comparingInt((Problem p) -> p.place().line())
                        .thenComparingInt(p -> p.place().column()));
        return new ReadResult(manifests, problems);
    }

    /** Checks an object that did not come from a text, one sent as JSON for instance. */
    public static ReadResult check(String sourceName, JsonNode tree) {
        List<Problem> problems = new ArrayList<>();
        Places places = Places.nowhere(sourceName);
        List<ManifestDocument> manifests =
                manifest(new Document(tree, places, List.of()), problems)
                        .map(manifest -> List.of(new ManifestDocument(manifest, places, problems)))
                        .orElse(List.of());
        return new ReadResult(manifests, problems);
    }

    private static Problem problem(Fault fault) {
        return Problem.error(fault.place(), fault.path().toString(), fault.message(), fault.hint());
    }

    private static Optional<Manifest> manifest(Document document, List<Problem> problems) {
        JsonNode tree = document.tree();
        Places places = document.places();
        if (!tree.isObject()) {
            problems.add(
                    Problem.error(
                            places.start(),
                            "",
                            "a manifest is an object",
                            "begin with apiVersion: and kind:"));
            return Optional.empty();
        }
        Optional<Kind> kind = kind(tree, places, problems);
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        int before = problems.size();
        new StructureCheck(SHAPES.records(), places, kind.get().unknownFields(), problems)
                .fields(tree, SHAPES.of(kind.get()), DocumentPath.ROOT);
        boolean usable =
                tree.path("metadata").isObject()
                        && problems.stream()
                                .skip(before)
                                .noneMatch(p -> p.isError() && p.path().startsWith("metadata"));
        if (!usable) {
            return Optional.empty();
        }
        ObjectMeta metadata = Json.convert(tree.path("metadata"), ObjectMeta.class);
        MetadataCheck check = new MetadataCheck(kind.get(), places, problems);
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
                    EVENT_SOURCE,
                    SENSOR,
                    EVENT_BUS -> {}
        }
        return Optional.of(new Manifest(kind.get().apiVersion(), kind.get(), metadata, tree));
    }

    private static Optional<Kind> kind(JsonNode tree, Places places, List<Problem> problems) {
        String written = tree.path("kind").asString("");
        String apiVersion = tree.path("apiVersion").asString("");
        Place place = places.of(DocumentPath.ROOT.key("kind"));
        if (written.isEmpty()) {
            problems.add(
                    Problem.error(
                            place, "kind", "is required but missing", "one of " + knownKinds()));
            return Optional.empty();
        }
        Optional<Kind> kind = Kind.named(written);
        if (kind.isEmpty()) {
            problems.add(unknownKind(written, apiVersion, place));
            return Optional.empty();
        }
        if (!apiVersion.equals(kind.get().apiVersion())) {
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
            return Optional.empty();
        }
        return kind;
    }

    /**
     * Files often hold Services and the like beside manifests; only what was meant for us is an
     * error.
     */
    private static Problem unknownKind(String written, String apiVersion, Place place) {
        String message = "unknown kind " + written + "; Millrace knows " + knownKinds();
        Optional<String> nearest =
                NearestName.to(written, Arrays.stream(Kind.values()).map(Kind::yamlName).toList());
        String hint = nearest.map(name -> "did you mean " + name + "?").orElse("");
        boolean ours = apiVersion.startsWith("argoproj.io/") || apiVersion.isEmpty();
        return ours
                ? Problem.error(place, "kind", message, hint)
                : Problem.warning(place, "kind", message, "it is left out");
    }

    private static String knownKinds() {
        return Arrays.stream(Kind.values()).map(Kind::yamlName).collect(Collectors.joining(", "));
    }
}
