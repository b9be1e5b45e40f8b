package dev.millrace.executors.kubernetes;

import dev.millrace.executors.kubernetes.PodCourse.Told;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has every pod looked at until somebody has seen its newest state: one look at a time for each
 * pod, many pods side by side, states that were overtaken left out. A look that the API server does
 * not answer is repeated.
 */
final class PodChanges implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PodChanges.class);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

    /** What is done about a pod. */
    @FunctionalInterface
    interface Look {
        /**
         * Does it.
         *
         * @param told what was told of the pod before
         * @return with what is told now
         * @throws KubernetesClientException if it is to be done again
         */
        Told at(Pod pod, Told told) throws InterruptedException;
    }

    private final Look look;
    private final Map<String, Watched> watched = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService alarms =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("pod-alarms").factory());

    private volatile boolean closing;

    PodChanges(Look look) {
        this.look = look;
    }

    /** A pod, its newest state, the state that was looked at, and whether somebody does now. */
    private static final class Watched {
        private Pod newest;
        private @Nullable Pod seen;
        private boolean busy;
        private Told told = Told.NOTHING;

        Watched(Pod newest) {
            this.newest = newest;
        }
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }

    /** A pod is new, or has changed. */
    void changed(Pod pod) {
        Watched one = watched.computeIfAbsent(uid(pod), _ -> new Watched(pod));
        synchronized (one) {
            one.newest = pod;
            if (one.busy || closing) {
                return;
            }
            one.busy = true;
        }
        threads.execute(() -> lookAt(one));
    }

    /** A pod is no more. */
    void gone(Pod pod) {
        watched.remove(uid(pod));
    }

    /** Has a pod looked at once more after a while, even if it has not changed. */
    void againIn(Duration pause, Pod pod) {
        alarms.schedule(
                () -> {
                    Watched one = watched.get(uid(pod));
                    if (one != null) {
                        Pod newest;
                        synchronized (one) {
                            one.seen = null;
                            newest = one.newest;
                        }
                        changed(newest);
                    }
                },
                Math.max(1, pause.toMillis()),
                TimeUnit.MILLISECONDS);
    }

    private void lookAt(Watched one) {
        Duration pause = RETRY;
        while (!closing) {
            Pod pod;
            synchronized (one) {
                if (one.seen == one.newest) {
                    one.busy = false;
                    return;
                }
                pod = one.newest;
                one.seen = pod;
            }
            try {
                one.told = look.at(pod, one.told);
                pause = RETRY;
            } catch (KubernetesClientException e) {
                if (closing) {
                    return;
                }
                LOG.warn("pod {} is looked at again in {}", pod.getMetadata().getName(), pause, e);
                synchronized (one) {
                    one.seen = null;
                }
                if (!slept(pause)) {
                    return;
                }
                Duration longer = pause.multipliedBy(2);
                pause = longer.compareTo(LONGEST_RETRY) < 0 ? longer : LONGEST_RETRY;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                // Such a pod is looked at when it has changed; a person has to see why.
                if (!closing) {
                    LOG.error("pod {} is left as it is", pod.getMetadata().getName(), e);
                }
            }
        }
    }

    private static boolean slept(Duration pause) {
        try {
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Looks that are under way are broken off; whoever comes next begins them anew. */
    @Override
    public void close() {
        closing = true;
        alarms.shutdownNow();
        threads.shutdownNow();
    }
}
