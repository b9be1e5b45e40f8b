package dev.millrace.log.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.log.DeadLetters;
import dev.millrace.schemas.record.WorkflowCommand;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class JsonSerdeTest {

    private static final JsonSerde<WorkflowCommand> SERDE = JsonSerde.of(WorkflowCommand.class);

    @Test
    void aSealedTypeComesBackAsWhatItWas() {
        WorkflowCommand command = new WorkflowCommand.Suspend("c1", "ns", "wf");
        assertThat(SERDE.decode("t", SERDE.encode(command))).isEqualTo(command);
        assertThat(SERDE.serializer().serialize("t", null)).isNull();
        assertThat(SERDE.deserializer().deserialize("t", null)).isNull();
    }

    @Test
    void whatCannotBeReadNamesItsPlace() {
        for (String bad : new String[] {"{", "[]", "null", "{\"kind\":\"Unheard\"}", ""}) {
            var record =
                    new ConsumerRecord<>("t", 3, 42L, "k", bad.getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> SERDE.decode(record))
                    .as(bad)
                    .isInstanceOfSatisfying(
                            UndecodableRecordException.class,
                            e -> assertThat(e.offset()).isEqualTo(42))
                    .hasMessageContaining("t-3@42");
        }
    }

    @Test
    void aDeadLetterKeepsJsonAsJsonAndTheRestAsBase64() {
        assertThat(DeadLetters.content("{\"a\":1}".getBytes(StandardCharsets.UTF_8)))
                .hasToString("{\"a\":1}");
        assertThat(DeadLetters.content(new byte[] {(byte) 0xff, 0}).stringValue())
                .isEqualTo("/wA=");
        assertThat(DeadLetters.content(new byte[0]).stringValue()).isEmpty();
        assertThat(DeadLetters.content(null).isNull()).isTrue();
    }
}
