package dev.millrace.eventsources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventPublisherTest {

    @Test
    void dataIsCountedAsTheJsonTextThatCarriesIt() {
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(40); j > 0; j--) {
                int c = random.nextInt(4) == 0 ? random.nextInt(0x11_0000) : random.nextInt(128);
                text.appendCodePoint(c >= 0xD800 && c < 0xE000 ? '"' : c);
            }
            byte[] carried = Json.mapper().writeValueAsBytes(text.toString());
            assertThat(EventPublisher.carriedBytes(text.toString()))
                    .as("seed 7, text %d", i)
                    .isEqualTo(carried.length - 2);
        }
    }
}
