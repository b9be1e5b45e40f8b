package dev.millrace.workflowengine.topology;

import dev.millrace.log.Topics;

/**
 * The bound on what the engine writes: Kafka's refusal would stop the partition, where a failed
 * input stops one workflow.
 */
final class RecordSize {
    /** A quarter is left for headers, and for the quotes of JSON that lies as text in the store. */
    static final int LIMIT = Topics.MAX_RECORD_BYTES / 4 * 3;

    private RecordSize() {}

    static byte[] checked(String what, byte[] bytes) {
        if (bytes.length > LIMIT) {
            throw new IllegalStateException(
                    "%s would need a record of %d bytes, and %d is the most; move large values out of the manifest, for instance into artifacts"
                            .formatted(what, bytes.length, LIMIT));
        }
        return bytes;
    }
}
