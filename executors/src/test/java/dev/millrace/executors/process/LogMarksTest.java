package dev.millrace.executors.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.LogTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Marks of what a log was when. */
final class LogMarksTest {
    private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir private Path folder;
    private ContainerFolder container = new ContainerFolder(Path.of(""), "main");

    @BeforeEach
    void place() {
        container = new ContainerFolder(folder, "main");
    }

    private void write(int bytes, long second) throws IOException {
        Files.writeString(
                container.log(),
                "x".repeat(bytes),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        Files.setLastModifiedTime(container.log(), FileTime.from(T.plusSeconds(second)));
    }

    private long second(long position) throws IOException {
        try (LogTimes times = LogMarks.times(container)) {
            return times.at(position).getEpochSecond() - T.getEpochSecond();
        }
    }

    @Test
    void aLogWithoutMarksWasWrittenWhenItWasChangedLast() throws IOException {
        write(10, 7);
        assertThat(second(1)).isEqualTo(7);
        assertThat(second(10)).isEqualTo(7);
    }

    @Test
    void whatLiesBetweenTwoMarksHasTheTimeOfTheSecond() throws IOException {
        LogMarks marks = new LogMarks(container);
        marks.look();
        for (int i = 1; i <= 20; i++) {
            write(10, i);
            marks.look();
            marks.look();
        }
        write(5, 30);
        assertThat(Files.size(container.logMarks())).isEqualTo(20 * 16);
        for (int i = 1; i <= 20; i++) {
            assertThat(second(10L * i - 9)).isEqualTo(i);
            assertThat(second(10L * i)).isEqualTo(i);
        }
        assertThat(second(201)).isEqualTo(30);
        try (LogTimes times = LogMarks.times(container)) {
            for (int position = 1; position <= 205; position++) {
                assertThat(times.at(position)).isEqualTo(T.plusSeconds(second(position)));
            }
        }
    }

    @Test
    void anotherServerGoesOnAfterAMarkThatWasNotFinished() throws IOException {
        write(10, 1);
        new LogMarks(container).look();
        Files.write(container.logMarks(), new byte[7], StandardOpenOption.APPEND);
        new LogMarks(container).look();
        write(10, 2);
        new LogMarks(container).look();
        write(10, 3);
        assertThat(second(10)).isEqualTo(1);
        assertThat(second(11)).isEqualTo(2);
        assertThat(second(30)).isEqualTo(3);
    }

    @Test
    void timesAreReadWhileMarksAreWritten() throws IOException {
        LogMarks marks = new LogMarks(container);
        write(10, 1);
        try (LogTimes times = LogMarks.times(container)) {
            assertThat(times.at(10)).isEqualTo(T.plusSeconds(1));
            marks.look();
            write(10, 2);
            marks.look();
            assertThat(times.at(10)).isEqualTo(T.plusSeconds(1));
            assertThat(times.at(20)).isEqualTo(T.plusSeconds(2));
        }
    }
}
