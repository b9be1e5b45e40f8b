package dev.millrace.expressions.gjson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.expressions.gojson.GoJson;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WriteThenReadTest {

    private static final String[] NAMES = {"a", "b", "x-y", "d\\.t", "0", "1", "\u00e9", "q uo"};

    @Test
    void whatIsWrittenAtAPlainPathIsFoundThereAndTheTextStaysJson() {
        Random random = new Random(23);
        for (int round = 0; round < 2_000; round++) {
            String json = "";
            for (int write = 0; write < 5; write++) {
                String path = path(random);
                String value = "v" + random.nextInt(100) + "\"<";
                String before = json;
                try {
                    json = Sjson.set(json, path, value);
                } catch (SjsonException e) {
                    assertThat(e).hasMessageStartingWith("cannot set array element");
                    continue;
                }
                assertThat(GjsonPath.get(json, path).text())
                        .as("seed 23, round %d: %s written into %s", round, path, before)
                        .isEqualTo(value);
                assertThat(GoJson.isValid(json)).as("seed 23, round %d: %s", round, json).isTrue();
            }
        }
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder(NAMES[random.nextInt(NAMES.length)]);
        for (int i = random.nextInt(4); i > 0; i--) {
            path.append('.').append(NAMES[random.nextInt(NAMES.length)]);
        }
        return path.toString();
    }
}
