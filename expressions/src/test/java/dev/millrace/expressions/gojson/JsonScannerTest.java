package dev.millrace.expressions.gojson;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Random and damaged JSON against Jackson: both must agree on what is JSON and what it means. */
class JsonScannerTest {

    private static final JsonMapper JACKSON = new JsonMapper();

    @Test
    void acceptsAndKeepsWhatJacksonReads() {
        Random random = new Random(17);
        for (int round = 0; round < 20_000; round++) {
            String json = value(random, 3);
            if (random.nextInt(3) == 0 && !json.isEmpty()) {
                int at = random.nextInt(json.length());
                json =
                        json.substring(0, at)
                                + "{}[],:\"1 e-.tn\\".charAt(random.nextInt(15))
                                + json.substring(at + 1);
            }
            Object meaning = meaning(json);
            assertThat(GoJson.isValid(json))
                    .as("seed 17, round %d: %s", round, json)
                    .isEqualTo(meaning != BROKEN);
            if (meaning != BROKEN) {
                assertThat(meaning(GoJson.compact(json)))
                        .as("seed 17, round %d: %s", round, json)
                        .isEqualTo(meaning);
            }
        }
    }

    private static final Object BROKEN = new Object();

    private static Object meaning(String json) {
        try {
            return json.isBlank() ? BROKEN : JACKSON.readTree(json);
        } catch (JacksonException e) {
            return BROKEN;
        }
    }

    private static String value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 6)) {
            case 0 -> "null";
            case 1 -> random.nextBoolean() + " ";
            case 2 -> Integer.toString(random.nextInt(2_000) - 1_000);
            case 3 -> "-0.5e" + random.nextInt(9);
            case 4 -> "\"<a&\\n\\u00e9\u2028\"";
            case 5 -> "\"\"";
            case 6 ->
                    "["
                            + (random.nextBoolean() ? value(random, depth - 1) + " , " : "")
                            + value(random, depth - 1)
                            + "]";
            default -> "{ \"k" + random.nextInt(3) + "\" : " + value(random, depth - 1) + "}";
        };
    }
}
