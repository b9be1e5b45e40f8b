package dev.millrace.log.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PositionsTest {

    @Test
    void theTextFormComesBackAsItWas() {
        Positions positions = new Positions(Map.of(11, 3L, 0, 7L, 2, 0L));
        assertThat(positions).hasToString("0:7,2:0,11:3");
        assertThat(Positions.parse("0:7,2:0,11:3")).isEqualTo(positions);
        assertThat(Positions.parse("")).isEqualTo(Positions.START);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1", "1:", ":1", "1:2,", "1:-2", "-1:2", "1:2,1:3", "0:1;1:2"})
    void whatIsNotOursIsRefusedByName(String text) {
        assertThatThrownBy(() -> Positions.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    @Test
    void coversComparesEveryPartition() {
        Positions positions = Positions.parse("0:5,1:2");
        assertThat(positions.covers(Positions.parse("0:5"))).isTrue();
        assertThat(positions.covers(Positions.parse("0:5,1:3"))).isFalse();
        assertThat(positions.covers(Positions.parse("2:1"))).isFalse();
        assertThat(positions.includes(0, 4)).isTrue();
        assertThat(positions.includes(0, 5)).isFalse();
    }
}
