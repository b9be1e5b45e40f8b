package dev.millrace.testkit.cluster;

import dev.millrace.testkit.cluster.ContainerEnvironment.MissingReference;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of one pod that is bound to this node. */
final class PodRun {
    private static final Logger LOG = LoggerFactory.getLogger(PodRun.class);
    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(30);

    private final Pod pod;
    private final Path folder;
    private final KubeletSettings settings;
    private final PodStatusWriter writer;
    private final PodVolumes volumes;
    private final Map<String, ContainerRun> inits = new LinkedHashMap<>();
    private final Map<String, ContainerRun> mains = new LinkedHashMap<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final PodPhases phases;
    private final Object writing = new Object();
    private volatile boolean stopping;
    private boolean dirty;

    PodRun(Pod pod, Path folder, KubeletSettings settings, KubernetesClient client) {
        this.pod = pod;
        this.folder = folder;
        this.settings = settings;
        this.writer = new PodStatusWriter(client, pod);
        this.volumes =
                new PodVolumes(folder.resolve("volumes"), new ContainerEnvironment(client, pod));
        pod.getSpec().getInitContainers().forEach(c -> inits.put(c.getName(), container(c)));
        pod.getSpec().getContainers().forEach(c -> mains.put(c.getName(), container(c)));
        this.phases = new PodPhases(pod, Instant.now(), inits.values(), mains.values());
    }

    private ContainerRun container(Container c) {
        return new ContainerRun(c, folder.resolve(c.getName()), volumes, settings, this::changed);
    }

    /** A container of any kind; empty if the pod has none of the name. */
    Optional<ContainerRun> container(String name) {
        return Optional.ofNullable(mains.getOrDefault(name, inits.get(name)));
    }

    /** Starts it on threads of its own. */
    void start() {
        thread(this::writeStatuses);
        thread(
                () -> {
                    live();
                    over.countDown();
                    changed();
                });
        Long limit = pod.getSpec().getActiveDeadlineSeconds();
        if (limit != null) {
            thread(
                    () -> {
                        if (!over.await(limit, TimeUnit.SECONDS)) {
                            phases.passedDeadline();
                            stopAll(grace(null));
                        }
                    });
        }
    }

    /** Work of a thread. */
    private interface Work {
        void run() throws IOException, InterruptedException, MissingReference;
    }

    private void thread(Work work) {
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                work.run();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            } catch (Exception e) {
                                LOG.error("pod {} is stuck", pod.getMetadata().getName(), e);
                            }
                        });
    }

    private void live() throws IOException, InterruptedException {
        List<ContainerRun> all = all();
        List<ContainerRun> missing =
                all.stream()
                        .filter(c -> c.container().getImage().startsWith("does-not-exist/"))
                        .toList();
        if (!missing.isEmpty()) {
            for (ContainerRun c : missing) {
                String image = c.container().getImage();
                c.become(
                        ContainerRun.waiting(
                                "ImagePullBackOff", "Back-off pulling image \"" + image + "\""));
            }
            while (!stopping) {
                Thread.sleep(settings.restartDelay());
            }
            return;
        }
        for (ContainerRun c : all) {
            Files.createDirectories(folder.resolve(c.container().getName()));
        }
        while (!stopping) {
            try {
                volumes.make();
                break;
            } catch (MissingReference e) {
                // As a kubelet does: the pod waits until it is there.
                LOG.debug("pod {} waits: {}", pod.getMetadata().getName(), e.getMessage());
                Thread.sleep(settings.restartDelay());
            }
        }
        List<ContainerRun> sidecars = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        String policy = pod.getSpec().getRestartPolicy();
        for (ContainerRun init : inits.values()) {
            if (PodPhases.isSidecar(init)) {
                threads.add(started(init, "Always"));
                sidecars.addFirst(init);
                while (!init.ready() && !stopping) {
                    Thread.sleep(10);
                }
            } else {
                init.run(policy.equals("Never") ? "Never" : "OnFailure");
                if (init.exitCode().orElse(0) != 0) {
                    phases.initFailed();
                    stopping = true;
                }
            }
            if (stopping) {
                break;
            }
        }
        if (!stopping) {
            List<Thread> working = new ArrayList<>();
            for (ContainerRun main : mains.values()) {
                working.add(started(main, policy));
            }
            for (Thread t : working) {
                t.join();
            }
        }
        for (ContainerRun sidecar : sidecars) {
            sidecar.stop(grace(null));
        }
        for (Thread t : threads) {
            t.join();
        }
    }

    private Thread started(ContainerRun container, String policy) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                container.run(policy);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            } catch (IOException e) {
                                LOG.error(
                                        "container {} is stuck",
                                        container.container().getName(),
                                        e);
                            }
                        });
    }

    private List<ContainerRun> all() {
        List<ContainerRun> all = new ArrayList<>(inits.values());
        all.addAll(mains.values());
        return all;
    }

    /** Somebody deletes the pod: its containers get their grace, then the API server is told. */
    void terminate(Pod deleted) {
        if (stopping && phases.deleted()) {
            return;
        }
        phases.markDeleted();
        thread(
                () -> {
                    stopAll(grace(deleted.getMetadata().getDeletionGracePeriodSeconds()));
                    over.await();
                    changed();
                });
    }

    /** Ends everything now: the API server has forgotten the pod, or the kubelet ends. */
    void kill() throws IOException, InterruptedException {
        stopAll(Duration.ZERO);
        over.await();
        ApiServer.deleteTree(folder);
    }

    private void stopAll(Duration grace) throws InterruptedException {
        stopping = true;
        Collection<Thread> stops = new ArrayList<>();
        for (ContainerRun c : all()) {
            stops.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            c.stop(grace);
                                        } catch (InterruptedException e) {
                                            Thread.currentThread().interrupt();
                                        } catch (IOException e) {
                                            LOG.error("cannot stop a container", e);
                                        }
                                    }));
        }
        for (Thread t : stops) {
            t.join();
        }
    }

    private Duration grace(@Nullable Long seconds) {
        Long own = pod.getSpec().getTerminationGracePeriodSeconds();
        Long chosen = seconds == null ? own : seconds;
        return chosen == null ? DEFAULT_GRACE : Duration.ofSeconds(chosen);
    }

    private void changed() {
        synchronized (writing) {
            dirty = true;
            writing.notifyAll();
        }
    }

    private void writeStatuses() throws InterruptedException {
        boolean last = false;
        while (!last) {
            synchronized (writing) {
                while (!dirty) {
                    writing.wait();
                }
                dirty = false;
            }
            last = over.getCount() == 0;
            writer.write(phases.status(last));
        }
        synchronized (writing) {
            while (!phases.deleted()) {
                writing.wait();
            }
        }
        writer.delete();
    }
}
