package dev.millrace.log;

import java.util.List;

/** The installation was made with other partition counts than those asked for now. */
public final class PartitionMismatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public PartitionMismatchException(List<String> mismatches) {
        super(
                "This installation was made with other partition counts, and they are fixed: keys"
                        + " are spread by them, so records of one workflow would go to a partition"
                        + " that does not know it. "
                        + String.join("; ", mismatches)
                        + ". Start with the counts it was made with, or use another data folder or"
                        + " Kafka for a new installation.");
    }
}
