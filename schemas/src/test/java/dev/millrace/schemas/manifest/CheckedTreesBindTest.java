package dev.millrace.schemas.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.millrace.schemas.Json;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The check and the binding must agree: what has no errors becomes its record, whatever it is. */
class CheckedTreesBindTest {

    private static final int TREES = Boolean.getBoolean("soak") ? 20_000 : 300;
    private static final int DEEPEST = 9;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final ManifestShapes shapes = ManifestShapes.ALL;

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aTreeOfTheRightShapeHasNoErrorsAndBinds(Kind kind) {
        for (long seed = 0; seed < TREES; seed++) {
            JsonNode tree = object(kind, new SplittableRandom(seed), Integer.MAX_VALUE);

            ReadResult result = ManifestReader.check("seed " + seed, tree);

            assertThat(result.problems()).as(tree.toPrettyString()).isEmpty();
            assertThatCode(() -> result.manifests().getFirst().content(kind.content()))
                    .as("seed %d: %s", seed, tree)
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EVENT_SOURCE", "SENSOR", "EVENT_BUS", "SECRET", "CONFIG_MAP"})
    void aRecordWrittenAsJsonIsReadAsTheSameRecord(Kind kind) {
        for (long seed = 0; seed < TREES; seed++) {
            JsonNode tree = object(kind, new SplittableRandom(seed), Integer.MAX_VALUE);

            Record content =
                    ManifestReader.check("", tree).manifests().getFirst().content(kind.content());

            assertThat((Object) Json.convert(Json.tree(content), kind.content()))
                    .as("seed %d: %s", seed, tree)
                    .isEqualTo(content);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aDamagedTreeIsEitherReportedOrBinds(Kind kind) {
        int reported = 0;
        for (long seed = 0; seed < TREES; seed++) {
            JsonNode tree = object(kind, new SplittableRandom(seed), 12);

            ReadResult result = ManifestReader.check("seed " + seed, tree);

            reported += result.hasErrors() ? 1 : 0;
            for (Manifest manifest : result.manifests()) {
                assertThatCode(() -> manifest.content(kind.content()))
                        .as("%d: %s", seed, tree)
                        .doesNotThrowAnyException();
            }
        }
        assertThat(reported).isPositive();
    }

    private ObjectNode object(Kind kind, RandomGenerator random, int damage) {
        ObjectNode tree = fields(shapes.of(kind), random, damage, 0);
        tree.put("apiVersion", kind.apiVersion());
        tree.put("kind", kind.yamlName());
        tree.set("metadata", Json.object().put("name", "a"));
        if (!kind.hasSpec()) {
            // Random texts are no base64.
            tree.remove(List.of("data", "binaryData"));
        }
        return tree;
    }

    private ObjectNode fields(
            List<Shape.Field> fields, RandomGenerator random, int damage, int depth) {
        ObjectNode object = Json.object();
        for (Shape.Field field : fields) {
            if (field.required() || random.nextInt(3 + depth) == 0) {
                object.set(field.name(), tree(field.shape(), random, damage, depth + 1));
            }
        }
        return object;
    }

    private JsonNode tree(Shape shape, RandomGenerator random, int damage, int depth) {
        if (random.nextInt(damage) == 0 && damage != Integer.MAX_VALUE) {
            return anything(random);
        }
        return switch (shape) {
            case Shape.Free() -> anything(random);
            case Shape.Text() -> NODES.stringNode("t" + random.nextInt(10));
            case Shape.Whole(long min, long max) ->
                    random.nextBoolean()
                            ? NODES.numberNode(max)
                            : NODES.numberNode(random.nextLong(min, max));
            case Shape.Decimal() -> NODES.numberNode(random.nextDouble());
            case Shape.Flag() -> NODES.booleanNode(random.nextBoolean());
            case Shape.AnyScalar() ->
                    random.nextBoolean()
                            ? NODES.numberNode(random.nextDouble())
                            : NODES.stringNode("1");
            case Shape.ListOf(Shape item) -> {
                ArrayNode list = NODES.arrayNode();
                for (int i = depth > DEEPEST ? 0 : random.nextInt(3); i > 0; i--) {
                    list.add(tree(item, random, damage, depth + 1));
                }
                yield list;
            }
            case Shape.MapOf(Shape value) -> {
                ObjectNode map = Json.object();
                for (int i = depth > DEEPEST ? 0 : random.nextInt(3); i > 0; i--) {
                    map.set("k" + i, tree(value, random, damage, depth + 1));
                }
                yield map;
            }
            case Shape.Struct(Class<?> type) ->
                    fields(shapes.records().fields(type), random, damage, depth);
        };
    }

    private static JsonNode anything(RandomGenerator random) {
        return switch (random.nextInt(7)) {
            case 0 -> NODES.stringNode("text");
            case 1 -> NODES.numberNode(1);
            case 2 -> NODES.numberNode(1.5);
            case 3 -> NODES.booleanNode(true);
            case 4 -> NODES.arrayNode().add("a");
            case 5 -> NODES.nullNode();
            default -> Json.object().put("a", 1);
        };
    }
}
