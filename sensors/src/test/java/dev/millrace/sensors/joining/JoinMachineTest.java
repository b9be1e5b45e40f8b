package dev.millrace.sensors.joining;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.record.SensorMatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class JoinMachineTest {

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    /** Feeds matches and keeps what fired. */
    private static final class Story {
        String conditions = "";
        String reset = "";
        long version = 1;
        long since = 0;
        Instant now = NOON;
        JoinState state = JoinState.NEW;
        final List<Map<String, String>> fired = new ArrayList<>();
        final List<String> ids = new ArrayList<>();
        List<JoinEvent> last = List.of();

        Story(String conditions) {
            this.conditions = conditions;
        }

        Story event(String dependency, String id) {
            return feed(dependency, id, version, false);
        }

        Story feed(String dependency, String id, long matchVersion, boolean seen) {
            SensorMatch match =
                    new SensorMatch(
                            "ns",
                            "sensor",
                            "trigger",
                            dependency,
                            matchVersion,
                            EVENT.apply(dependency, id),
                            null,
                            List.of("a", "b", "c"),
                            manifest(),
                            since);
            last = JoinMachine.decide(state, match, seen, now);
            for (JoinEvent event : last) {
                state = JoinMachine.evolve(state, event);
                if (event instanceof JoinEvent.Fired(Activation activation)) {
                    ids.add(activation.id());
                    fired.add(
                            new TreeMap<>(
                                    activation.events().entrySet().stream()
                                            .collect(
                                                    Collectors.toMap(
                                                            Map.Entry::getKey,
                                                            e -> e.getValue().id()))));
                }
            }
            return this;
        }

        private ObjectNode manifest() {
            ObjectNode manifest = Json.object();
            ObjectNode template = manifest.putObject("template").put("name", "trigger");
            if (!conditions.isEmpty()) {
                template.put("conditions", conditions);
            }
            if (!reset.isEmpty()) {
                template.putArray("conditionsReset")
                        .addObject()
                        .putObject("byTime")
                        .put("cron", reset);
            }
            return manifest;
        }
    }

    private static final java.util.function.BiFunction<String, String, EventRef> EVENT =
            (dependency, id) ->
                    new EventRef(
                            id,
                            "ns",
                            "source",
                            dependency,
                            "webhook",
                            "1.0",
                            "application/json",
                            NOON,
                            "{}");

    @Test
    void theLatestEventOfEachDependencyIsDelivered() {
        Story story = new Story("a && b").event("a", "1").event("a", "2").event("b", "3");
        assertThat(story.fired).containsExactly(Map.of("a", "2", "b", "3"));
        assertThat(story.state.pending()).isEmpty();
    }

    @Test
    void firingTakesAlsoWhatDidNotMatterAndLeavesNothing() {
        Story story =
                new Story("(a && b) || c")
                        .event("a", "1")
                        .event("b", "2")
                        .event("b", "3")
                        .event("c", "4");
        assertThat(story.fired)
                .containsExactly(Map.of("a", "1", "b", "2"), Map.of("b", "3", "c", "4"));
        assertThat(story.state.pending()).isEmpty();
    }

    @Test
    void withoutAConditionAllDependenciesAreNeeded() {
        Story story = new Story("").event("a", "1").event("c", "2");
        assertThat(story.fired).isEmpty();
        assertThat(story.event("b", "3").fired)
                .containsExactly(Map.of("a", "1", "b", "3", "c", "2"));
    }

    @Test
    void aRepeatChangesNothing() {
        Story story = new Story("a && b").event("a", "1");
        JoinState before = story.state;
        story.feed("a", "1", 1, true);
        assertThat(story.state).isEqualTo(before);
        assertThat(story.last).singleElement().isInstanceOf(JoinEvent.Repeated.class);
    }

    @Test
    void theSameEventsGiveTheSameActivationId() {
        Story first = new Story("a && b").event("a", "1").event("b", "2");
        Story other = new Story("a && b").event("b", "2").event("a", "1");
        Story different = new Story("a && b").event("b", "2").event("a", "9");
        assertThat(other.ids).isEqualTo(first.ids);
        assertThat(different.ids).isNotEqualTo(first.ids);
        assertThat(first.ids.getFirst()).matches("[0-9a-f]{32}");
    }

    @Test
    void aTickOfTheResetForgetsWhatIsOlder() {
        Story story = new Story("a && b");
        story.reset = "* * * * *";
        story.now = NOON.plusSeconds(30);
        story.event("a", "1");
        story.now = NOON.plusSeconds(61);
        story.event("b", "2");
        assertThat(story.fired).isEmpty();
        assertThat(story.last).anyMatch(JoinEvent.Dropped.class::isInstance);
        story.now = NOON.plusSeconds(62);
        assertThat(story.event("a", "3").fired).containsExactly(Map.of("a", "3", "b", "2"));
    }

    @Test
    void anEventThatCameAtTheTickItselfStays() {
        Story story = new Story("a && b");
        story.reset = "* * * * *";
        story.now = NOON.plusSeconds(60);
        story.event("a", "1");
        story.now = NOON.plusSeconds(119);
        assertThat(story.event("b", "2").fired).hasSize(1);
    }

    @Test
    void anEditOfTheConditionKeepsTheEventsThatItStillNeeds() {
        Story story = new Story("a && b && c").event("a", "1").event("b", "2");
        story.version = 2;
        story.conditions = "a && c";
        story.event("c", "3");
        assertThat(story.fired).containsExactly(Map.of("a", "1", "c", "3"));
    }

    @Test
    void aMatchByAnOlderVersionIsJudgedByTheNewerOne() {
        Story story = new Story("a && c");
        story.version = 5;
        story.event("a", "1");
        story.conditions = "a && b";
        story.feed("b", "2", 4, false);
        assertThat(story.last).singleElement().isInstanceOf(JoinEvent.Ignored.class);
        assertThat(story.state.pending()).containsOnlyKeys("a");
    }

    @Test
    void eventsOfADeletedSensorDoNotCountForAnotherOfItsName() {
        Story story = new Story("a && b").event("a", "1");
        story.version = 7;
        story.since = 6;
        story.event("b", "2");
        assertThat(story.fired).isEmpty();
        assertThat(story.state.pending()).containsOnlyKeys("b");
    }

    @Test
    void randomEventsAgreeWithASlowModel() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<String> conditions =
                    List.of("a && b", "a || b && c", "(a || b) && c", "a && b || c", "a&&b&&c");
            String condition = conditions.get(random.nextInt(conditions.size()));
            Story story = new Story(condition);
            Map<String, String> pending = new HashMap<>();
            List<Map<String, String>> expected = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String dependency = List.of("a", "b", "c").get(random.nextInt(3));
                if (condition.contains(dependency)) {
                    story.event(dependency, "e" + i);
                    pending.put(dependency, "e" + i);
                    if (holds(condition, pending.keySet())) {
                        expected.add(new TreeMap<>(pending));
                        pending.clear();
                    }
                }
            }
            assertThat(story.fired).as("seed %d, %s", seed, condition).isEqualTo(expected);
        }
    }

    private static boolean holds(String condition, Set<String> has) {
        boolean a = has.contains("a");
        boolean b = has.contains("b");
        boolean c = has.contains("c");
        return switch (condition) {
            case "a && b" -> a && b;
            case "a || b && c" -> a || (b && c);
            case "(a || b) && c" -> (a || b) && c;
            case "a && b || c" -> (a && b) || c;
            case "a&&b&&c" -> a && b && c;
            default -> throw new AssertionError(condition);
        };
    }
}
