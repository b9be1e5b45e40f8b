package dev.millrace.schemas.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class YamlRoundTripTest {

    private static final int TREES = Boolean.getBoolean("soak") ? 200_000 : 2_000;

    @Test
    void anyJsonTreeWrittenAsYamlIsReadAsTheSameTree() {
        for (long seed = 0; seed < TREES; seed++) {
            RandomGenerator random = new SplittableRandom(seed);
            JsonNode tree = RandomTrees.object(random);
            String text = new RandomYaml(random).text(tree);

            Documents documents = YamlReader.read("seed " + seed, text);

            assertThat(documents.faults()).as("seed %d:%n%s", seed, text).isEmpty();
            assertThat(documents.documents()).as("seed %d:%n%s", seed, text).hasSize(1);
            assertThat(documents.documents().getFirst().tree())
                    .as("seed %d:%n%s", seed, text)
                    .isEqualTo(tree);
        }
    }

    @Test
    void jsonTextIsReadAsTheSameTree() {
        for (long seed = 0; seed < TREES; seed++) {
            JsonNode tree = RandomTrees.object(new SplittableRandom(seed));

            Documents documents = YamlReader.read("seed " + seed, tree.toPrettyString());

            assertThat(documents.faults()).as("seed %d", seed).isEmpty();
            assertThat(documents.documents().getFirst().tree()).as("seed %d", seed).isEqualTo(tree);
        }
    }

    @Test
    void everyMemberHasAPlaceWhereItsKeyStands() {
        for (long seed = 0; seed < TREES / 10; seed++) {
            RandomGenerator random = new SplittableRandom(seed);
            String text = new RandomYaml(random).text(RandomTrees.object(random));
            Document document = YamlReader.read("f", text).documents().getFirst();
            int[] lines =
                    text.lines().mapToInt(line -> line.codePointCount(0, line.length())).toArray();

            for (String key : document.tree().propertyNames()) {
                Place place = document.places().of(DocumentPath.ROOT.key(key));
                assertThat(place.line())
                        .as("seed %d: %s%n%s", seed, key, text)
                        .isBetween(1, lines.length);
                assertThat(place.column()).isBetween(1, lines[place.line() - 1]);
            }
        }
    }

    @Test
    void noTextMakesTheReaderThrow() {
        String alphabet = "ab: -[]{}&*!|>'\"%@`,?#~<\n\t01.\u00e9\ud83d";
        for (long seed = 0; seed < TREES; seed++) {
            RandomGenerator random = new SplittableRandom(seed);
            StringBuilder text =
                    new StringBuilder(new RandomYaml(random).text(RandomTrees.object(random)));
            for (int i = random.nextInt(8); i >= 0; i--) {
                text.insert(
                        random.nextInt(text.length() + 1),
                        alphabet.charAt(random.nextInt(alphabet.length())));
            }

            Documents documents = YamlReader.read("seed " + seed, text.toString());

            long lines = text.chars().filter(c -> c == '\n').count() + 1;
            assertThat(documents.faults())
                    .as("seed %d", seed)
                    .allSatisfy(
                            fault -> assertThat((long) fault.place().line()).isBetween(1L, lines));
        }
    }
}
