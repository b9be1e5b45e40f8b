package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.LogStore;
import dev.millrace.executors.LogTimes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Logs of many steps as one, by time. */
final class MergedLogsTest {
    private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");

    /** A line and its second. */
    private record Written(String text, int second) {}

    /** Logs in memory, which counts how many of them are open. */
    private static final class Memory implements LogStore {
        private final Map<String, List<Written>> logs = new TreeMap<>();
        private int open;
        private int most;

        private String text(String stepId) {
            StringBuilder text = new StringBuilder();
            logs.get(stepId).forEach(line -> text.append(line.text()).append('\n'));
            return text.toString();
        }

        @Override
        public Optional<InputStream> open(String stepId, String container, long position) {
            if (!logs.containsKey(stepId)) {
                return Optional.empty();
            }
            most = Math.max(most, ++open);
            byte[] bytes = text(stepId).getBytes(StandardCharsets.UTF_8);
            return Optional.of(
                    new ByteArrayInputStream(bytes, (int) position, bytes.length - (int) position) {
                        @Override
                        public void close() {
                            open--;
                        }
                    });
        }

        @Override
        public OptionalLong tailStart(String stepId, String container, int lines) {
            List<Written> all = logs.getOrDefault(stepId, List.of());
            return OptionalLong.of(
                    all.stream()
                            .limit(Math.max(0, all.size() - lines))
                            .mapToLong(line -> line.text().length() + 1L)
                            .sum());
        }

        @Override
        public Optional<LogTimes> times(String stepId, String container) {
            List<Written> all = logs.get(stepId);
            return all == null || all.isEmpty() ? Optional.empty() : Optional.of(new Times(all));
        }

        @Override
        public void follow(
                String stepId,
                String container,
                long position,
                Consumer<byte[]> sink,
                BooleanSupplier wanted) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> containers(String stepId) {
            return List.of("main");
        }

        @Override
        public void delete(String stepId) {
            logs.remove(stepId);
        }

        private record Times(List<Written> lines) implements LogTimes {
            @Override
            public Instant at(long position) {
                long end = 0;
                for (Written line : lines) {
                    end += line.text().length() + 1;
                    if (end >= position) {
                        return T.plusSeconds(line.second());
                    }
                }
                return T.plusSeconds(lines.getLast().second());
            }

            @Override
            public void close() {}
        }
    }

    private static List<WorkflowLog.Line> read(Memory logs, String query) throws IOException {
        LogRequest request =
                LogRequest.of(
                        "n",
                        "w",
                        "",
                        new Query(name -> name.equals("logOptions.tailLines") ? query : null),
                        T);
        List<WorkflowLog.Step> steps =
                logs.logs.keySet().stream()
                        .map(id -> new WorkflowLog.Step(id, "pod-" + id, T, T))
                        .toList();
        List<WorkflowLog.Line> lines = new ArrayList<>();
        new MergedLogs(logs, request).read(steps, lines::add);
        assertThat(logs.open).isZero();
        return lines;
    }

    @Test
    void linesOfAllStepsComeByTimeAndNoneOvertakesAnotherOfItsStep() throws IOException {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Memory logs = new Memory();
            record Expected(int second, String step, String text) {}
            List<Expected> expected = new ArrayList<>();
            int tail = random.nextInt(3) == 0 ? random.nextInt(4) : 1_000;
            int steps = random.nextInt(8);
            for (int s = 0; s < steps; s++) {
                List<Written> lines = new ArrayList<>();
                int second = random.nextInt(20);
                int count = random.nextInt(10);
                for (int l = 0; l < count; l++) {
                    lines.add(new Written("s" + s + "-" + l, second));
                    second += random.nextInt(3);
                }
                logs.logs.put("s" + s, lines);
                lines.stream()
                        .skip(Math.max(0, count - tail))
                        .map(l -> new Expected(l.second(), l.text(), l.text()))
                        .forEach(expected::add);
            }
            expected.sort(
                    Comparator.comparingInt(Expected::second)
                            .thenComparing(e -> e.step().substring(0, 2)));
            assertThat(read(logs, Integer.toString(tail)))
                    .as("seed %d", seed)
                    .extracting(WorkflowLog.Line::text)
                    .containsExactlyElementsOf(expected.stream().map(Expected::text).toList());
        }
    }

    @Test
    void onlyLogsThatWereWrittenAtTheSameTimeAreOpenTogether() throws IOException {
        Memory logs = new Memory();
        for (int s = 0; s < 2_000; s++) {
            logs.logs.put(
                    "s%04d".formatted(s),
                    List.of(new Written("first", s), new Written("second", s + 3)));
        }
        assertThat(read(logs, "")).hasSize(4_000);
        assertThat(logs.most).isLessThanOrEqualTo(5);
    }
}
