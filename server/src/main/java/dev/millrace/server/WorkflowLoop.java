package dev.millrace.server;

import dev.millrace.executors.Executor;
import dev.millrace.executors.KeyValues;
import dev.millrace.executors.LogStore;
import dev.millrace.executors.RoutedExecutor;
import dev.millrace.executors.StepWorker;
import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.executors.data.DataSteps;
import dev.millrace.executors.http.HttpClients;
import dev.millrace.executors.http.HttpSteps;
import dev.millrace.executors.http.PluginSteps;
import dev.millrace.executors.http.ProxyRules;
import dev.millrace.executors.process.FileLogStore;
import dev.millrace.executors.process.ProcessExecutor;
import dev.millrace.executors.process.ProcessSettings;
import dev.millrace.executors.serverside.ServerSideExecutor;
import dev.millrace.log.ClosingGroup;
import dev.millrace.server.configuration.Configuration;
import dev.millrace.workflowengine.cache.CacheWorker;
import dev.millrace.workflowengine.locks.WorkflowLimits;
import dev.millrace.workflowengine.topology.EngineOptions;
import dev.millrace.workflowengine.topology.LockService;
import dev.millrace.workflowengine.topology.WorkflowEngine;
import java.nio.file.Path;
import java.util.List;

/**
 * The loop of workflows: the engine, the locks that they share, and what runs their steps.
 *
 * @param executor how steps run here, for a person
 */
record WorkflowLoop(LogStore logs, ArtifactStores artifacts, String executor) {

    static WorkflowLoop start(Foundation base, ClosingGroup loops, ClosingGroup resources) {
        Path steps = base.data().folder("steps");
        // Before any other client of HTTP in this JVM: its steps may set Host.
        HttpClients clients = new HttpClients(ProxyRules.of(System.getenv()));
        KeyValues secrets = KeyValues.of(base.secrets());
        ArtifactStores artifacts =
                resources.add(
                        "artifact stores",
                        new ArtifactStores(base.data().folder("artifacts"), secrets));
        ServerSideExecutor serverSide =
                new ServerSideExecutor(
                        base.data().folder("http-steps"),
                        base.configuration().parallelism(),
                        List.of(
                                new HttpSteps(secrets, clients, HttpSteps.MAX_BODY_BYTES),
                                new PluginSteps(
                                        base.configuration().executorPlugins(),
                                        secrets,
                                        clients,
                                        PluginSteps.Patience.DEFAULT),
                                new DataSteps(artifacts, DataSteps.Limits.DEFAULT)),
                        base.clock());
        Executor executor =
                new RoutedExecutor(
                        new ProcessExecutor(
                                settings(base.configuration(), steps),
                                secrets,
                                KeyValues.of(base.configMaps()),
                                artifacts,
                                base.clock()),
                        serverSide);
        WorkflowLimits limits = base.configuration().workflowLimits();
        WorkflowEngine engine =
                loops.add(
                        "engine",
                        WorkflowEngine.start(
                                base.log(),
                                base.data().folder("streams"),
                                EngineOptions.DEFAULT
                                        .withMeter(Metrics.engineMeter(base.meters()))
                                        .withLimitedWorkflows(limits.any())));
        base.readiness().add("workflow-engine", engine::health);
        Metrics.engine(base.meters(), engine);
        CacheWorker caches =
                loops.add(
                        "caches",
                        CacheWorker.start(base.log(), base.manifests(), base.deadLetters()));
        base.readiness().add("caches", caches::health);
        LockService locks =
                loops.add(
                        "locks",
                        LockService.start(base.log(), base.data().folder("streams"), -1, limits));
        base.readiness().add("locks", locks::health);
        StepWorker worker =
                StepWorker.start(base.log(), executor, base.deadLetters(), base.redactor()::redact);
        loops.add("steps", () -> worker.close(base.configuration().keepSteps()));
        base.readiness().add("executor", worker::health);
        return new WorkflowLoop(new FileLogStore(steps), artifacts, executor.describe());
    }

    private static ProcessSettings settings(Configuration configuration, Path steps) {
        ProcessSettings settings = ProcessSettings.of(steps);
        return settings.withIsolation(configuration.isolation())
                .withParallelism(configuration.parallelism())
                .withImages(settings.images().with(configuration.images()));
    }
}
