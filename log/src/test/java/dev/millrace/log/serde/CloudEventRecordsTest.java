package dev.millrace.log.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class CloudEventRecordsTest {

    private static final CloudEvent EVENT =
            CloudEventBuilder.v1()
                    .withId("1")
                    .withSource(URI.create("webhook"))
                    .withType("webhook")
                    .withSubject("example")
                    .withTime(OffsetDateTime.parse("2026-01-02T03:04:05.123456789Z"))
                    .withDataContentType("application/json")
                    .withData("{\"a\":1}".getBytes(StandardCharsets.UTF_8))
                    .build();

    @Test
    void binaryModeKeepsTheDataAsItIs() {
        var record = CloudEventRecords.toRecord("t", "k", EVENT);
        assertThat(record.key()).isEqualTo("k");
        assertThat(record.value()).asString().isEqualTo("{\"a\":1}");
        assertThat(decode(record.headers(), "{\"a\":1}")).isEqualTo(EVENT);
    }

    @Test
    void structuredModeIsReadWithDataOfEveryForm() {
        String head =
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"webhook\",\"type\":\"webhook\",\"subject\":\"example\",\"time\":\"2026-01-02T03:04:05.123456789Z\",\"datacontenttype\":\"%s\",\"ext\":\"e\",%s}";
        assertThat(data(structured(head.formatted("application/json", "\"data\":{\"a\":1}"))))
                .isEqualTo("{\"a\":1}");
        assertThat(data(structured(head.formatted("application/json", "\"data\":\"x\""))))
                .isEqualTo("\"x\"");
        assertThat(data(structured(head.formatted("text/plain", "\"data\":\"x\"")))).isEqualTo("x");
        CloudEvent event =
                structured(head.formatted("application/json", "\"data_base64\":\"eyJhIjoxfQ==\""));
        assertThat(data(event)).isEqualTo("{\"a\":1}");
        assertThat(event.getExtension("ext")).isEqualTo("e");
        assertThat(event.getTime()).isEqualTo(EVENT.getTime());
    }

    @Test
    void whatIsNoEventIsUndecodableWithItsPlace() {
        assertThatThrownBy(() -> decode(new RecordHeaders(), "{}"))
                .isInstanceOf(UndecodableRecordException.class)
                .hasMessageContaining("t-1@7");
        for (String json :
                new String[] {
                    "[]",
                    "{",
                    "{\"specversion\":\"0.3\"}",
                    "{\"specversion\":\"1.0\",\"id\":5}",
                    "{\"specversion\":\"1.0\",\"time\":\"x\"}",
                    ""
                }) {
            assertThatThrownBy(() -> structured(json))
                    .as(json)
                    .isInstanceOf(UndecodableRecordException.class);
        }
    }

    private static CloudEvent structured(String json) {
        Headers headers = new RecordHeaders();
        headers.add(
                "content-type",
                "application/cloudevents+json; charset=UTF-8".getBytes(StandardCharsets.UTF_8));
        return decode(headers, json);
    }

    private static CloudEvent decode(Headers headers, String value) {
        return CloudEventRecords.decode("t", 1, 7, headers, value.getBytes(StandardCharsets.UTF_8));
    }

    private static String data(CloudEvent event) {
        return new String(
                Objects.requireNonNull(event.getData()).toBytes(), StandardCharsets.UTF_8);
    }
}
