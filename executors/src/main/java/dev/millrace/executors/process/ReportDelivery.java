package dev.millrace.executors.process;

import dev.millrace.executors.ReportSink;
import dev.millrace.schemas.record.StepReport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands reports over, again and again until they are taken. */
public final class ReportDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(ReportDelivery.class);

    private volatile @Nullable ReportSink sink;
    private volatile boolean closing;

    public void open(ReportSink reports) {
        sink = reports;
    }

    /** From now on a report that is not taken at once is left to the next executor. */
    public void closing() {
        closing = true;
    }

    public void deliver(StepReport report) throws InterruptedException {
        for (long wait = 50; ; wait = Math.min(wait * 2, 5_000)) {
            ReportSink to = sink;
            try {
                if (to == null) {
                    throw new IllegalStateException(
                            "recover() was not called before the first step");
                }
                to.report(report);
                return;
            } catch (RuntimeException e) {
                if (closing) {
                    throw e;
                }
                LOG.warn(
                        "a report of step {} could not be handed over; trying again",
                        report.stepId(),
                        e);
                Thread.sleep(wait);
            }
        }
    }
}
