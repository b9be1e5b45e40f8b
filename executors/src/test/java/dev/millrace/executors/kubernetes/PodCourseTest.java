package dev.millrace.executors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.kubernetes.PodCourse.Act;
import dev.millrace.executors.kubernetes.PodCourse.Told;
import dev.millrace.schemas.record.NodePhase;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PodCourseTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");
    private static final Instant BEGAN = NOW.minusSeconds(20);
    private static final String STOP = "workflow shutdown with strategy:  Stop";

    private static final PodState WAITING = new PodState.Pending("ErrImagePull");
    private static final PodState RUNNING = new PodState.Running(BEGAN, "n1", null);
    private static final PodState READY = new PodState.Running(BEGAN, "n1", "10.0.0.7");

    private static PodState.Ended end(
            NodePhase phase, @Nullable String message, boolean replaceable, boolean leftRunning) {
        return new PodState.Ended(
                replaceable ? null : BEGAN,
                phase,
                message,
                replaceable ? null : phase == NodePhase.SUCCEEDED ? 0 : 1,
                List.of(),
                replaceable,
                leftRunning);
    }

    private static final PodState.Ended GOOD = end(NodePhase.SUCCEEDED, null, false, false);
    private static final PodState.Ended BAD =
            end(NodePhase.FAILED, "main: Error (exit code 1)", false, false);
    private static final PodState.Ended EVICTED = end(NodePhase.FAILED, "Evicted", true, false);

    private static PodView pod(PodState state) {
        return new PodView(state, false, false, null, null, 0);
    }

    private static PodView stopped(PodState state, @Nullable Instant goneBy) {
        return new PodView(state, false, false, STOP, goneBy, 0);
    }

    private static PodView deleted(PodState state) {
        return new PodView(state, false, false, null, NOW.plusSeconds(10), 0);
    }

    private static List<Act> next(PodView pod) {
        return PodCourse.next(pod, Told.NOTHING, NOW);
    }

    private static PodState.Ended endOf(PodView pod) {
        List<Act> acts = next(pod);
        assertThat(acts).hasSize(1).first().isInstanceOf(Act.Ends.class);
        return ((Act.Ends) acts.getFirst()).end();
    }

    @Test
    void whyAPodWaitsIsToldOnceForEachReason() {
        assertThat(next(pod(WAITING))).containsExactly(new Act.Waits("ErrImagePull"));
        Told told = Told.NOTHING.and(new Act.Waits("ErrImagePull"));
        assertThat(PodCourse.next(pod(WAITING), told, NOW)).isEmpty();
        assertThat(PodCourse.next(pod(new PodState.Pending("ImagePullBackOff")), told, NOW))
                .containsExactly(new Act.Waits("ImagePullBackOff"));
        assertThat(PodCourse.next(pod(new PodState.Pending(null)), told, NOW)).isEmpty();
    }

    @Test
    void thatAStepRunsIsToldOnce() {
        Act started = new Act.Started(BEGAN, "n1");
        assertThat(next(pod(RUNNING))).containsExactly(started);
        assertThat(PodCourse.next(pod(RUNNING), Told.NOTHING.and(started), NOW)).isEmpty();
    }

    @Test
    void whereADaemonIsReachedIsToldOnceItIsReady() {
        Act started = new Act.Started(BEGAN, "n1");
        Act ready = new Act.Ready("10.0.0.7");
        PodView daemon = new PodView(READY, true, false, null, null, 0);
        assertThat(next(daemon)).containsExactly(started, ready);
        assertThat(PodCourse.next(daemon, Told.NOTHING.and(started).and(ready), NOW)).isEmpty();
        assertThat(next(new PodView(RUNNING, true, false, null, null, 0))).containsExactly(started);
        assertThat(next(pod(READY))).containsExactly(started);
    }

    @Test
    void anEndIsToldAsItIs() {
        assertThat(endOf(pod(GOOD))).isEqualTo(GOOD);
        assertThat(endOf(pod(BAD))).isEqualTo(BAD);
    }

    @Test
    void aPodThatWasTakenAwayTooSoonIsReplacedAFewTimes() {
        for (int replaced = 0; replaced < PodCourse.MOST_REPLACED; replaced++) {
            assertThat(next(new PodView(EVICTED, false, false, null, null, replaced)))
                    .containsExactly(new Act.Replace());
        }
        assertThat(endOf(new PodView(EVICTED, false, false, null, null, PodCourse.MOST_REPLACED)))
                .isEqualTo(EVICTED);
    }

    @Test
    void nothingReplacesAPodThatSomebodyStoppedOrDeleted() {
        assertThat(endOf(stopped(EVICTED, NOW)).message()).isEqualTo(STOP);
        assertThat(endOf(deleted(EVICTED)).message()).isEqualTo(PodCourse.DELETED);
    }

    @Test
    void aStepThatIsToStopIsDeletedAndEndsWithTheReason() {
        assertThat(next(stopped(WAITING, null))).containsExactly(new Act.Delete());
        assertThat(next(stopped(RUNNING, null)))
                .containsExactly(new Act.Started(BEGAN, "n1"), new Act.Delete());
        for (PodState state : List.of(WAITING, GOOD, BAD)) {
            PodState.Ended end = endOf(stopped(state, NOW.plusSeconds(30)));
            assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
            assertThat(end.message()).isEqualTo(STOP);
        }
        assertThat(endOf(stopped(BAD, NOW)).exitCode()).isEqualTo(1);
    }

    @Test
    void aPodThatSomebodyDeletedIsAnErrorUnlessItHadSucceeded() {
        for (PodState state : List.of(WAITING, BAD)) {
            PodState.Ended end = endOf(deleted(state));
            assertThat(end.phase()).isEqualTo(NodePhase.ERROR);
            assertThat(end.message()).isEqualTo("pod deleted");
        }
        assertThat(endOf(deleted(GOOD))).isEqualTo(GOOD);
    }

    @Test
    void aNodeThatDoesNotAnswerKeepsNoStepOpen() {
        PodView leaving = deleted(RUNNING);
        Instant limit = NOW.plusSeconds(10).plus(PodCourse.PATIENCE);
        assertThat(PodCourse.next(leaving, Told.NOTHING, limit.minusNanos(1)))
                .containsExactly(new Act.Started(BEGAN, "n1"), new Act.LookAgain(limit));
        List<Act> acts = PodCourse.next(leaving, new Told(null, true, false), limit);
        assertThat(acts).hasSize(1);
        PodState.Ended end = ((Act.Ends) acts.getFirst()).end();
        assertThat(end.phase()).isEqualTo(NodePhase.ERROR);
        assertThat(end.message()).isEqualTo("pod deleted");
        assertThat(end.startedAt()).isEqualTo(BEGAN);
    }

    @Test
    void whatIsLeftRunningIsDeletedOnceTheEndIsTold() {
        PodState.Ended left = end(NodePhase.SUCCEEDED, null, false, true);
        assertThat(next(pod(left))).containsExactly(new Act.Ends(left), new Act.Delete());
        assertThat(next(deleted(left))).containsExactly(new Act.Ends(left));
    }

    @Test
    void nothingIsDoneAboutAPodWhoseEndIsInTheLog() {
        for (PodState state : List.of(WAITING, READY, GOOD, BAD, EVICTED)) {
            assertThat(next(new PodView(state, true, true, STOP, NOW, 0))).isEmpty();
        }
    }

    /** Whatever a pod goes through, one of these is always true of it. */
    @Test
    void aPodIsNeverForgotten() {
        Random random = new Random(5);
        List<PodState> states = List.of(WAITING, RUNNING, READY, GOOD, BAD, EVICTED);
        for (int i = 0; i < 2_000; i++) {
            PodState state = states.get(random.nextInt(states.size()));
            @Nullable String stop = random.nextBoolean() ? STOP : null;
            @Nullable Instant goneBy =
                    random.nextBoolean() ? NOW.plusSeconds(random.nextInt(200) - 100) : null;
            PodView pod =
                    new PodView(
                            state, random.nextBoolean(), false, stop, goneBy, random.nextInt(5));
            List<Act> acts = next(pod);
            boolean goesOnByItself =
                    goneBy == null && stop == null && !(state instanceof PodState.Ended);
            boolean isCaredFor =
                    acts.stream()
                            .anyMatch(
                                    act ->
                                            act instanceof Act.Ends
                                                    || act instanceof Act.Delete
                                                    || act instanceof Act.Replace
                                                    || act instanceof Act.LookAgain);
            assertThat(goesOnByItself || isCaredFor).as("%s %s", pod, acts).isTrue();
            assertThat(acts.stream().filter(act -> act instanceof Act.Ends).count())
                    .isLessThanOrEqualTo(1);
        }
    }
}
