package dev.millrace.workflowengine.model;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The core and the slow model agree on every node of random workflows after every input, and the
 * core with itself. The first case that fails is made smaller; its message has the seed, the
 * manifest, the inputs in order and what differs.
 *
 * <p>{@code -Dsoak} tries 100,000 cases; {@code -Dmillrace.model.seed} is the first one and {@code
 * -Dmillrace.model.cases} how many there are, so that a soak can be done in parts.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ModelTest {
    private static final long FIRST = Long.getLong("millrace.model.seed", 0);
    private static final long CASES =
            Long.getLong("millrace.model.cases", Boolean.getBoolean("soak") ? 100_000 : 2_000);

    private final Map<Trial.Claim, List<Long>> failed = new EnumMap<>(Trial.Claim.class);

    @BeforeAll
    void tryAll() {
        failed.putAll(
                LongStream.range(FIRST, FIRST + CASES)
                        .mapToObj(Trial::of)
                        .filter(t -> t.failure() != null)
                        .collect(
                                groupingBy(
                                        t -> Objects.requireNonNull(t.failure()).claim(),
                                        mapping(Trial::seed, toList()))));
    }

    @Test
    void theCoreAgreesWithTheModelOnEveryNode() {
        holds(Trial.Claim.CORE_AND_MODEL_AGREE);
    }

    /** Also with locks, hooks, retries, deadlines and shutdowns on the way. */
    @Test
    void foldingAnyPrefixGivesTheStateThatStoodThere() {
        holds(Trial.Claim.ANY_PREFIX_FOLDS_TO_THE_STATE_THAT_STOOD_THERE);
    }

    @Test
    void portionsMakeNoDifference() {
        holds(Trial.Claim.PORTIONS_MAKE_NO_DIFFERENCE);
    }

    private void holds(Trial.Claim claim) {
        List<Long> seeds = failed.getOrDefault(claim, List.of());
        if (!seeds.isEmpty()) {
            Trial smallest = Trial.of(seeds.getFirst()).smallest();
            AssertionError error = Objects.requireNonNull(smallest.failure()).error();
            throw new AssertionError(
                    "seeds %s, of which the first: %s".formatted(seeds, error.getMessage()), error);
        }
    }
}
