package dev.millrace.server;

import dev.millrace.log.embedded.DiskSpace;
import dev.millrace.workflowengine.cron.topology.CronMeter;
import dev.millrace.workflowengine.topology.EngineMeter;
import dev.millrace.workflowengine.topology.WorkflowEngine;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** What Prometheus reads at {@code /metrics}. */
final class Metrics {

    private Metrics() {}

    /** A registry with the figures of the process in it. */
    static PrometheusMeterRegistry registry(DiskSpace disk) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        Gauge.builder("millrace.disk.free", disk, DiskSpace::freeBytes)
                .baseUnit("bytes")
                .register(registry);
        return registry;
    }

    /** One for each part that is not ready: what an alarm looks at. */
    static void readiness(PrometheusMeterRegistry registry, Readiness readiness) {
        Gauge.builder(
                        "millrace.unready.components",
                        readiness,
                        r -> r.components().values().stream().filter(h -> !h.isReady()).count())
                .register(registry);
    }

    static void engine(PrometheusMeterRegistry registry, WorkflowEngine engine) {
        Gauge.builder("millrace.engine.lag", engine, WorkflowEngine::lag)
                .baseUnit("records")
                .register(registry);
    }

    static CronMeter cronMeter(PrometheusMeterRegistry registry) {
        return new CronMeter() {
            @Override
            public void run(String namespace, String cron) {
                registry.counter("millrace.cron.runs", "namespace", namespace, "cron", cron)
                        .increment();
            }

            @Override
            public void skipped(String namespace, String cron, String reason) {
                registry.counter(
                                "millrace.cron.skipped",
                                "namespace",
                                namespace,
                                "cron",
                                cron,
                                "reason",
                                reason)
                        .increment();
            }

            @Override
            public void refused(String namespace, String cron) {
                registry.counter("millrace.cron.refused", "namespace", namespace, "cron", cron)
                        .increment();
            }
        };
    }

    static EngineMeter engineMeter(PrometheusMeterRegistry registry) {
        Counter inputs = registry.counter("millrace.engine.inputs");
        Counter transitions = registry.counter("millrace.engine.transitions");
        Counter events = registry.counter("millrace.engine.events");
        Counter failures = registry.counter("millrace.engine.failures");
        return new EngineMeter() {
            @Override
            public void input() {
                inputs.increment();
            }

            @Override
            public void transition(int count) {
                transitions.increment();
                events.increment(count);
            }

            @Override
            public void failure() {
                failures.increment();
            }
        };
    }
}
