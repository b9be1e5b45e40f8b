package dev.millrace.log;

/**
 * How many partitions an installation has. Fixed when it is made: keys are spread by this number,
 * so another one would send a workflow's records to a partition that knows nothing of it.
 *
 * @param count at least 1
 */
public record Partitions(int count) {

    /** One broker in one process: enough to use the cores of a laptop. */
    public static final Partitions EMBEDDED = new Partitions(4);

    /** Several replicas: the upper bound of how many of them share the work. */
    public static final Partitions CLUSTER = new Partitions(32);

    public Partitions {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "an installation needs at least 1 partition, not " + count);
        }
    }
}
