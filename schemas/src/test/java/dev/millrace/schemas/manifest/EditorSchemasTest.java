package dev.millrace.schemas.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.yaml.Document;
import dev.millrace.schemas.yaml.YamlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an editor says by the checked-in schemas, as far as any validator of JSON Schema says it.
 */
class EditorSchemasTest {

    private static final Path FOLDER = Path.of("json");
    private static final String ANYWHERE = "https://editor.example/json/";
    private static final String OF_ALL = "millrace.schema.json";

    private final SchemaRegistry registry =
            SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12,
                    builder -> builder.schemas(EditorSchemasTest::checkedIn));

    @Test
    void editorsAcceptTheManifestsThatTheReaderAcceptsAndRefuseThoseThatItRefuses()
            throws IOException {
        Path root = Path.of(System.getProperty("millrace.conformance", "absent"));
        assumeTrue(Files.isDirectory(root), "no conformance data");
        Map<Kind, Schema> schemas = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            schemas.put(kind, schema(JsonSchemas.fileName(kind)));
        }
        Schema all = schema(OF_ALL);
        Map<String, List<String>> refused = new TreeMap<>();
        Map<Kind, Integer> seen = new EnumMap<>(Kind.class);
        for (Path file : manifests(root)) {
            for (Document document : YamlReader.read("m", Files.readString(file)).documents()) {
                Optional<Kind> kind = Kind.named(document.tree().path("kind").asString(""));
                if (kind.isEmpty()) {
                    continue;
                }
                seen.merge(kind.get(), 1, Integer::sum);
                boolean valid = !ManifestReader.check("m", document.tree()).hasErrors();
                List<String> said = said(schemas.get(kind.get()), document.tree());
                if (valid && !said.isEmpty()) {
                    refused.put(root.relativize(file).toString(), said);
                }
                assertThat(said(all, document.tree()).isEmpty())
                        .as("the schema of all kinds says of %s what its own says", file)
                        .isEqualTo(said.isEmpty());
            }
        }

        assertThat(refused).isEmpty();
        assertThat(seen.get(Kind.WORKFLOW)).isGreaterThan(150);
        assertThat(seen)
                .containsKeys(
                        Kind.WORKFLOW_TEMPLATE,
                        Kind.CRON_WORKFLOW,
                        Kind.CLUSTER_WORKFLOW_TEMPLATE,
                        Kind.WORKFLOW_EVENT_BINDING,
                        Kind.SENSOR,
                        Kind.EVENT_SOURCE);
    }

    @Test
    void editorsRefuseMisspeltMissingAndMistypedFields() {
        String sound =
                """
                apiVersion: argoproj.io/v1alpha1
                kind: Workflow
                metadata: {name: a}
                spec:
                  entrypoint: main
                  templates:
                    - name: main
                      container: {image: alpine}
                """;
        Schema all = schema(OF_ALL);

        assertThat(said(all, tree(sound))).isEmpty();
        assertThat(said(all, tree(sound.replace("image:", "imagee:"))).toString())
                .contains("imagee");
        assertThat(said(all, tree(sound.replace("entrypoint: main", "entrypoint: 5"))).toString())
                .contains("/spec/entrypoint");
        assertThat(said(all, tree(sound.replace("metadata: {name: a}\n", ""))).toString())
                .contains("metadata");
        assertThat(said(all, tree(sound.replace("kind: Workflow", "kind: Worfklow"))).toString())
                .contains("/kind");
        // A file may hold other things too.
        assertThat(said(all, tree("apiVersion: apps/v1\nkind: Deployment\n"))).isEmpty();
    }

    @Test
    void theLinesForEditorsInTheDocumentationNameTheSchema() throws IOException {
        String page = Files.readString(Path.of("../docs/reference/lint.md"));

        assertThat(
                        Pattern.compile("/path/to/millrace/schemas/(\\S+?\\.json)")
                                .matcher(page)
                                .results()
                                .map(line -> Path.of(line.group(1))))
                .hasSize(2)
                .allSatisfy(schema -> assertThat(schema).isRegularFile());
        String settings = page.substring(page.indexOf("{\"yaml.schemas"));
        assertThat(Json.mapper().readTree(settings.lines().findFirst().orElseThrow()).size())
                .isEqualTo(1);
    }

    /** Those that people would mend; the text of each begins with the place. */
    private static List<String> said(Schema schema, JsonNode tree) {
        return schema.validate(withoutNulls(tree)).stream()
                .map(error -> error.getInstanceLocation() + ": " + error.getMessage())
                .sorted()
                .toList();
    }

    /** Go takes null for absent, and so does the reader; editors mark it, rightly. */
    private static JsonNode withoutNulls(JsonNode tree) {
        JsonNode copy = tree.deepCopy();
        strip(copy);
        return copy;
    }

    private static void strip(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            object.propertyNames().stream()
                    .filter(name -> object.get(name).isNull())
                    .toList()
                    .forEach(object::remove);
        }
        tree.forEach(EditorSchemasTest::strip);
    }

    private Schema schema(String file) {
        return registry.getSchema(SchemaLocation.of(ANYWHERE + file));
    }

    private static String checkedIn(String address) {
        try {
            return Files.readString(FOLDER.resolve(address.substring(ANYWHERE.length())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode tree(String yaml) {
        return YamlReader.read("m", yaml).documents().getFirst().tree();
    }

    private static List<Path> manifests(Path root) throws IOException {
        try (Stream<Path> files =
                Stream.concat(
                        Files.walk(root.resolve("workflows/manifests")),
                        Files.walk(root.resolve("events/manifests")))) {
            return files.filter(f -> f.toString().matches(".*\\.ya?ml")).toList();
        }
    }
}
