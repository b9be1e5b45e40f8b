package dev.millrace.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates the topics of an installation and refuses one that was made with other counts. */
public final class TopicsAdmin {

    private TopicsAdmin() {}

    /**
     * Creates what is missing. The topics themselves are the record of how the installation was
     * made: Kafka keeps their counts, and a second record could only disagree with it.
     *
     * @throws PartitionMismatchException if a topic exists with another partition count; nothing
     *     has been created then
     * @throws KafkaException if Kafka cannot be reached or refuses
     */
    public static void ensure(Admin admin, Partitions partitions) {
        ensure(admin, partitions, Topics.all());
    }

    /** As {@link #ensure(Admin, Partitions)}, for the given topics. */
    public static void ensure(Admin admin, Partitions partitions, List<TopicSpec> specs) {
        Map<String, Integer> existing = counts(admin, specs);
        List<String> mismatches = new ArrayList<>();
        List<NewTopic> missing = new ArrayList<>();
        for (TopicSpec spec : specs) {
            int wanted = spec.partitionsIn(partitions);
            Integer found = existing.get(spec.name());
            if (found == null) {
                missing.add(
                        new NewTopic(spec.name(), Optional.of(wanted), Optional.empty())
                                .configs(spec.config()));
            } else if (found != wanted) {
                mismatches.add(spec.name() + " has " + found + ", wanted " + wanted);
            }
        }
        if (!mismatches.isEmpty()) {
            throw new PartitionMismatchException(mismatches);
        }
        create(admin, missing);
        awaitVisible(admin, partitions, specs);
    }

    private static Map<String, Integer> counts(Admin admin, List<TopicSpec> specs) {
        Set<String> names = get(admin.listTopics().names());
        List<String> present = specs.stream().map(TopicSpec::name).filter(names::contains).toList();
        Map<String, Integer> counts = new TreeMap<>();
        Map<String, TopicDescription> described =
                get(admin.describeTopics(present).allTopicNames());
        described.forEach((name, topic) -> counts.put(name, topic.partitions().size()));
        return counts;
    }

    private static void create(Admin admin, List<NewTopic> missing) {
        if (missing.isEmpty()) {
            return;
        }
        admin.createTopics(missing)
                .values()
                .forEach(
                        (name, created) -> {
                            try {
                                created.get();
                            } catch (ExecutionException e) {
                                // Two replicas that start at once both find it missing.
                                if (!(e.getCause() instanceof TopicExistsException)) {
                                    throw new KafkaException(
                                            "topic "
                                                    + name
                                                    + " could not be created: "
                                                    + message(e),
                                            e.getCause());
                                }
                            } catch (InterruptedException e) {
                                throw new InterruptException(e);
                            }
                        });
    }

    /**
     * A created topic is known to the broker a moment later; clients would log errors till then.
     */
    private static void awaitVisible(Admin admin, Partitions partitions, List<TopicSpec> specs) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (true) {
            Map<String, Integer> counts = counts(admin, specs);
            List<String> mismatches = new ArrayList<>();
            boolean complete = true;
            for (TopicSpec spec : specs) {
                Integer found = counts.get(spec.name());
                int wanted = spec.partitionsIn(partitions);
                complete &= found != null;
                // Another replica may have been faster, with another count.
                if (found != null && found != wanted) {
                    mismatches.add(spec.name() + " has " + found + ", wanted " + wanted);
                }
            }
            if (!mismatches.isEmpty()) {
                throw new PartitionMismatchException(mismatches);
            }
            if (complete) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new KafkaException(
                        "the topics were created but Kafka does not list them after 30 s");
            }
            Thread.onSpinWait();
        }
    }

    private static <T> T get(org.apache.kafka.common.KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new KafkaException("Kafka did not answer: " + message(e), e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static String message(ExecutionException e) {
        return String.valueOf(e.getCause() == null ? e : e.getCause().getMessage());
    }
}
