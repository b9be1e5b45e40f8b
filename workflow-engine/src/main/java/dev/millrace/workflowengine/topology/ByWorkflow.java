package dev.millrace.workflowengine.topology;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Puts all transitions of a workflow into the partition that its commands are in, although each has
 * a key of its own: a reader sees them in order. The hash is the one of Kafka's default
 * partitioner.
 */
final class ByWorkflow implements StreamPartitioner<String, Object> {

    @Override
    public Optional<Set<Integer>> partitions(
            String topic, String key, Object value, int numPartitions) {
        return Optional.of(Set.of(partition(TransitionKeys.workflow(key), numPartitions)));
    }

    static int partition(String workflow, int count) {
        return Utils.toPositive(Utils.murmur2(workflow.getBytes(StandardCharsets.UTF_8))) % count;
    }
}
