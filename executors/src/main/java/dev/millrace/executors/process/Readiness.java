package dev.millrace.executors.process;

import dev.millrace.executors.PodFields;
import dev.millrace.executors.StepContainer;
import dev.millrace.executors.StepContainers;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.record.StepReport;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Waits until a daemon is ready and says so: when its main container runs, or when its readiness
 * probe has succeeded often enough in a row.
 */
final class Readiness {
    private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);
    private static final long LOOK_MILLIS = 50;

    private final InstantSource clock;
    private final ReportDelivery delivery;
    private final ExecutorService threads;

    Readiness(InstantSource clock, ReportDelivery delivery, ExecutorService threads) {
        this.clock = clock;
        this.delivery = delivery;
        this.threads = threads;
    }

    /** Begins to wait, if the step is a daemon. */
    void begin(StepRun run) {
        if (!Boolean.TRUE.equals(run.spec.template().daemon())) {
            return;
        }
        threads.execute(
                () -> {
                    try {
                        await(run);
                    } catch (InterruptedException e) {
                        // The executor is being closed; the next one waits on.
                        Thread.currentThread().interrupt();
                    } catch (IOException | StepRefusedException | RuntimeException e) {
                        LOG.error(
                                "cannot tell whether the daemon {} is ready", run.spec.stepId(), e);
                    }
                });
    }

    private void await(StepRun run) throws IOException, InterruptedException, StepRefusedException {
        StepFolder folder = run.folder;
        if (!folder.isReady()) {
            while (folder.main().leader().isEmpty()) {
                if (!run.isRunning()) {
                    return;
                }
                Thread.sleep(LOOK_MILLIS);
            }
            StepContainer main = StepContainers.of(run.spec).main().orElse(null);
            JsonNode probe = main == null ? null : main.spec().readinessProbe();
            if (main != null && probe != null && !succeeds(run, main, probe)) {
                return;
            }
        }
        // Told again after a restart: whether the last server's word arrived is not known.
        delivery.deliver(
                new StepReport.Ready(
                        run.spec.stepId(),
                        run.spec.nodeId(),
                        run.spec.workflow(),
                        clock.instant(),
                        PodFields.ADDRESS));
        folder.markReady();
        run.leaveRoom();
    }

    /** Probes until it has succeeded; false if the step ended before. */
    private static boolean succeeds(StepRun run, StepContainer main, JsonNode settings)
            throws IOException, InterruptedException {
        Probe probe = new Probe(run.folder, settings, portOf(main));
        if (pauseEnds(run, seconds(settings, "initialDelaySeconds", 0))) {
            return false;
        }
        int wanted = Math.max(1, settings.path("successThreshold").asInt(1));
        for (int good = 0; ; ) {
            good = probe.succeeds() ? good + 1 : 0;
            if (good >= wanted) {
                return run.isRunning();
            }
            if (pauseEnds(run, seconds(settings, "periodSeconds", 10))) {
                return false;
            }
        }
    }

    /** Waits; true if the step ended meanwhile. */
    private static boolean pauseEnds(StepRun run, Duration pause) throws InterruptedException {
        return run.awaitStill(Math.max(1, pause.toMillis()));
    }

    private static Duration seconds(JsonNode settings, String member, int absent) {
        return Duration.ofSeconds(settings.path(member).asInt(absent));
    }

    private static Probe.Ports portOf(StepContainer main) {
        JsonNode ports = main.spec().ports();
        return name -> {
            for (JsonNode port : ports == null ? MissingNode.getInstance() : ports) {
                if (port.path("name").asString("").equals(name)) {
                    return port.path("containerPort").asInt(0);
                }
            }
            return 0;
        };
    }
}
