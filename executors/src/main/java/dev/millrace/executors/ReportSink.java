package dev.millrace.executors;

import dev.millrace.schemas.record.StepReport;

/** Takes what executors have to tell. */
@FunctionalInterface
public interface ReportSink {
    /**
     * Hands over a report; it is kept safely when this returns.
     *
     * @throws RuntimeException if it could not be kept; the executor hands it over again after a
     *     while
     */
    void report(StepReport report);
}
