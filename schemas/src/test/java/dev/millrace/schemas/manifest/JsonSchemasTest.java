package dev.millrace.schemas.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class JsonSchemasTest {

    private static final Path CHECKED_IN = Path.of("json");
    private static final Path GENERATED = Path.of("target", "json-schemas");

    @ParameterizedTest
    @EnumSource(Kind.class)
    void checkedInSchemasAreThoseThatTheRecordsGenerate(Kind kind) throws IOException {
        isCheckedIn(JsonSchemas.fileName(kind), JsonSchemas.of(kind));
    }

    @Test
    void theCheckedInSchemaOfAllKindsIsTheOneThatIsGenerated() throws IOException {
        isCheckedIn("millrace.schema.json", JsonSchemas.ofAll());
    }

    private static void isCheckedIn(String name, JsonNode schema) throws IOException {
        String generated = text(schema);
        Files.createDirectories(GENERATED);
        Files.writeString(GENERATED.resolve(name), generated);
        if (Boolean.getBoolean("millrace.schemas.write")) {
            Files.createDirectories(CHECKED_IN);
            Files.writeString(CHECKED_IN.resolve(name), generated);
        }

        assertThat(CHECKED_IN.resolve(name))
                .as(
                        "a record changed: run mvn -pl schemas test -Dtest=JsonSchemasTest -Dmillrace.schemas.write=true"
                                + " and commit schemas/json")
                .exists()
                .hasContent(generated);
    }

    @Test
    void aSchemaTellsTypesRequiredFieldsAndFreePlaces() {
        JsonNode schema = JsonSchemas.of(Kind.WORKFLOW);

        assertThat(schema.at("/properties/kind/const").asString()).isEqualTo("Workflow");
        assertThat(schema.at("/$defs/WorkflowStep/required/0").asString()).isEqualTo("name");
        assertThat(schema.at("/$defs/Template/properties/steps/items/items/$ref").asString())
                .isEqualTo("#/$defs/WorkflowStep");
        assertThat(schema.at("/$defs/Template/properties/affinity").isEmpty()).isTrue();
        assertThat(schema.at("/$defs/Template/additionalProperties").asBoolean()).isFalse();
        assertThat(JsonSchemas.of(Kind.SENSOR).has("additionalProperties")).isFalse();
    }

    private static String text(JsonNode schema) {
        String pretty = Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(schema);
        return pretty.replace(System.lineSeparator(), "\n") + "\n";
    }
}
