package dev.millrace.log;

import java.util.Map;

/**
 * A topic as an installation creates it.
 *
 * @param name full name with the prefix
 * @param partitions how many partitions it gets
 * @param config topic-level settings
 */
public record TopicSpec(String name, PartitionRule partitions, Map<String, String> config) {

    /** How the partition count follows from the installation. */
    public enum PartitionRule {
        /** One, since its offsets are versions or its reader is a single state machine. */
        ONE,
        /** As many as the installation was made with: the unit of scale. */
        INSTALLATION
    }

    public TopicSpec {
        config = Map.copyOf(config);
    }

    /** The number of partitions in an installation of the given size. */
    public int partitionsIn(Partitions installation) {
        return switch (partitions) {
            case ONE -> 1;
            case INSTALLATION -> installation.count();
        };
    }
}
