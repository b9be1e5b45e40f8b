package dev.millrace.workflowengine.cron.topology;

/** Counts what CronWorkflows do. Called by stream threads: must be safe for several, and quick. */
public interface CronMeter {

    /** Counts nothing. */
    CronMeter NONE =
            new CronMeter() {
                @Override
                public void run(String namespace, String cron) {}

                @Override
                public void skipped(String namespace, String cron, String reason) {}

                @Override
                public void refused(String namespace, String cron) {}
            };

    /** A workflow was ordered. */
    void run(String namespace, String cron);

    /**
     * A scheduled time has no run.
     *
     * @param reason {@code suspended}, {@code stopped}, {@code when}, {@code forbid}, {@code
     *     missed} or {@code invalid}
     */
    void skipped(String namespace, String cron, String reason);

    /** A workflow that was ordered was refused. */
    void refused(String namespace, String cron);
}
