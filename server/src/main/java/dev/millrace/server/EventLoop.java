package dev.millrace.server;

import dev.millrace.eventsources.EventSourcePorts;
import dev.millrace.eventsources.EventSourceRuntime;
import dev.millrace.eventsources.webhook.WebhookDispatcher;
import dev.millrace.log.ClosingGroup;
import dev.millrace.log.StatusLog;
import dev.millrace.sensors.joining.Joiner;
import dev.millrace.sensors.matching.MatchWorker;
import dev.millrace.triggers.action.ActionRunner;
import dev.millrace.triggers.action.HttpExecutor;
import dev.millrace.triggers.action.LogExecutor;
import dev.millrace.triggers.action.WorkflowExecutor;
import dev.millrace.triggers.action.WorkflowSubmitter;
import dev.millrace.triggers.dispatch.Dispatcher;
import dev.millrace.triggers.dispatch.RetryTimers;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The loop of events: sources, matcher, joiner, dispatcher.
 *
 * @param webhooks what is mounted at the API's port
 */
record EventLoop(WebhookDispatcher webhooks) {

    /**
     * Starts from the end of the chain to its beginning, so that an event finds the whole of it.
     */
    static EventLoop start(
            Foundation base,
            ClosingGroup loops,
            ClosingGroup resources,
            WorkflowSubmitter submitter,
            Executor atOnce) {
        Path streams = base.data().folder("streams");
        // Each asks Kafka several things before it runs; at once they take as long as one.
        var joining =
                CompletableFuture.supplyAsync(
                        () -> loops.add("joiner", Joiner.start(base.log(), streams)), atOnce);
        var timing =
                CompletableFuture.supplyAsync(
                        () -> loops.add("retry timers", RetryTimers.start(base.log(), streams)),
                        atOnce);
        WorkflowExecutor workflows = new WorkflowExecutor(submitter, base.configMaps());
        HttpExecutor http =
                resources.add("HTTP triggers", new HttpExecutor(base.secrets(), base.configMaps()));
        Dispatcher dispatcher =
                loops.add(
                        "dispatcher",
                        Dispatcher.start(
                                base.log(),
                                new ActionRunner(
                                        http, workflows, workflows.k8s(), new LogExecutor()),
                                base.patient(),
                                base.deadLetters(),
                                base.redactor()::redact,
                                base.clock()));
        Joiner joiner = joining.join();
        RetryTimers timers = timing.join();
        MatchWorker matcher = loops.add("matcher", matcher(base));
        EventSourceRuntime sources =
                loops.add(
                        "event sources",
                        EventSourceRuntime.start(
                                new EventSourcePorts(
                                        base.log(),
                                        base.answering(),
                                        new StatusLog(base.patient()),
                                        base.secrets(),
                                        base.disk(),
                                        base.meters(),
                                        base.clock(),
                                        base.redactor()::redact,
                                        base.configuration().webhookBind())));
        base.manifests().subscribe(sources);
        base.readiness().add("joiner", joiner::health);
        base.readiness().add("retry-timers", timers::health);
        base.readiness().add("dispatcher", dispatcher::health);
        base.readiness().add("matcher", matcher::health);
        return new EventLoop(sources.webhooks());
    }

    private static MatchWorker matcher(Foundation base) {
        try {
            return MatchWorker.start(
                    base.log(), base.manifests(), base.patient(), base.deadLetters(), base.clock());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the matcher starts", e);
        }
    }
}
