package dev.millrace.eventsources.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.eventsources.EntryKey;
import dev.millrace.eventsources.EventPublisher;
import dev.millrace.eventsources.EventSourceMetrics;
import dev.millrace.eventsources.webhook.RouteTable.Claim;
import dev.millrace.eventsources.webhook.RouteTable.Holds;
import dev.millrace.eventsources.webhook.RouteTable.Standing;
import dev.millrace.eventsources.webhook.RouteTable.WaitsFor;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.eventsource.WebhookSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class RouteTableTest {

    private final RouteTable table = new RouteTable();
    private final Map<Claim, Standing> standing = new HashMap<>();

    @Test
    void theOlderKeepsTheEndpointAndTheYoungerInheritsIt() {
        Claim younger = claim("b", 7, "/x");
        Claim older = claim("a", 3, "/x");
        table.add(younger);
        assertThat(table.find("/x")).contains(younger.endpoint());
        table.add(older);
        assertThat(table.find("/x")).contains(older.endpoint());
        assertThat(standing.get(younger)).isEqualTo(new WaitsFor(older.owner()));
        assertThat(standing.get(older)).isEqualTo(new Holds());
        table.remove(older);
        assertThat(table.find("/x")).contains(younger.endpoint());
        assertThat(standing.get(younger)).isEqualTo(new Holds());
    }

    @Test
    void aSuccessorOfTheSameEntryTakesOverWithoutAGap() {
        Claim before = claim("a", 3, "/x");
        Claim after = claim("a", 3, "/x");
        table.add(before);
        table.add(after);
        assertThat(table.find("/x")).containsSame(after.endpoint());
        table.remove(before);
        assertThat(table.find("/x")).containsSame(after.endpoint());
        table.remove(after);
        assertThat(table.find("/x")).isEmpty();
        assertThat(table.isEmpty()).isTrue();
    }

    @Test
    void patternsThatDifferInNamesOfVariablesAreOneEndpoint() {
        Claim older = claim("a", 3, "/a/{x}");
        Claim younger = claim("b", 7, "/a/{y}");
        table.add(older);
        table.add(younger);
        assertThat(standing.get(younger)).isEqualTo(new WaitsFor(older.owner()));
    }

    @Test
    void exactEndpointsComeBeforePatterns() {
        Claim pattern = claim("a", 1, "/{any}");
        Claim exact = claim("b", 2, "/x");
        table.add(pattern);
        table.add(exact);
        assertThat(table.find("/x")).contains(exact.endpoint());
        assertThat(table.find("/y")).contains(pattern.endpoint());
        assertThat(table.find("/y/z")).isEmpty();
    }

    private Claim claim(String event, long version, String endpoint) {
        WebhookEndpoint answers =
                new WebhookEndpoint(
                        new EntryKey("ns", "es", event),
                        Json.convert(Json.object(), WebhookSource.class),
                        (namespace, name, key) -> Optional.empty(),
                        new EventPublisher(
                                new MockProducer<>(
                                        true,
                                        null,
                                        new StringSerializer(),
                                        new ByteArraySerializer()),
                                null,
                                InstantSource.system(),
                                UUID::randomUUID),
                        new EventSourceMetrics(new SimpleMeterRegistry())
                                .of(new EntryKey("ns", "es", event)));
        Claim[] made = new Claim[1];
        made[0] =
                new Claim(
                        new Seniority(Instant.MAX, version),
                        EndpointPattern.parse(endpoint),
                        answers,
                        s -> standing.put(made[0], s));
        return made[0];
    }
}
