package dev.millrace.triggers.action;

import dev.millrace.expressions.gjson.GjsonPath;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.sensor.ArgoWorkflowTrigger;
import dev.millrace.schemas.sensor.HttpTrigger;
import dev.millrace.schemas.sensor.K8sTrigger;
import dev.millrace.schemas.sensor.LogTrigger;
import dev.millrace.schemas.sensor.Trigger;
import dev.millrace.schemas.sensor.TriggerAction;
import dev.millrace.schemas.sensor.TriggerTemplate;
import dev.millrace.triggers.parameter.ParameterSources;
import dev.millrace.triggers.parameter.Parameters;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/** Makes one attempt: the parameters of the template, then the action that is found in it. */
public final class ActionRunner {

    private final TriggerExecutor<HttpTrigger> http;
    private final TriggerExecutor<ArgoWorkflowTrigger> workflow;
    private final TriggerExecutor<K8sTrigger> k8s;
    private final TriggerExecutor<LogTrigger> log;

    public ActionRunner(
            TriggerExecutor<HttpTrigger> http,
            TriggerExecutor<ArgoWorkflowTrigger> workflow,
            TriggerExecutor<K8sTrigger> k8s,
            TriggerExecutor<LogTrigger> log) {
        this.http = http;
        this.workflow = workflow;
        this.k8s = k8s;
        this.log = log;
    }

    /**
     * @param number from 1
     * @throws InterruptedException when the process closes
     */
    public DispatchOutcome attempt(Activation activation, int number) throws InterruptedException {
        Trigger trigger;
        try {
            trigger = Json.convert(activation.triggerManifest(), Trigger.class);
        } catch (JacksonException e) {
            return new DispatchOutcome.Refused(
                    "the trigger cannot be read: " + e.getOriginalMessage());
        }
        Parameters parameters = new Parameters(new ParameterSources(activation.events()));
        String template = activation.triggerManifest().path("template").toString();
        return switch (parameters.apply(template, trigger.parameters())) {
            case Parameters.Applied.Failed(String message) -> new DispatchOutcome.Failed(message);
            case Parameters.Applied.Unsupported(String message) ->
                    new DispatchOutcome.Refused(message);
            case Parameters.Applied.Done(String json) ->
                    act(activation, number, trigger, json, parameters);
        };
    }

    private DispatchOutcome act(
            Activation activation,
            int number,
            Trigger trigger,
            String template,
            Parameters parameters)
            throws InterruptedException {
        Optional<TriggerAction> action;
        try {
            action = StrictJson.read(template, TriggerTemplate.class).action();
        } catch (JacksonException e) {
            return new DispatchOutcome.Failed(
                    "the template does not fit after its parameters: " + e.getOriginalMessage());
        }
        if (action.isEmpty()) {
            return new DispatchOutcome.Refused(
                    "the template has no action; add one of k8s, argoWorkflow, http, log");
        }
        Attempt attempt =
                new Attempt(
                        activation,
                        number,
                        GjsonPath.get(template, action.get().type()).raw(),
                        trigger.policy(),
                        parameters);
        return switch (action.get()) {
            case HttpTrigger a -> http.execute(attempt, a);
            case ArgoWorkflowTrigger a -> workflow.execute(attempt, a);
            case K8sTrigger a -> k8s.execute(attempt, a);
            case LogTrigger a -> log.execute(attempt, a);
            case TriggerAction.Other(String type, var _) ->
                    new DispatchOutcome.Refused(
                            "triggers of type "
                                    + type
                                    + " are not supported yet; use http, argoWorkflow, k8s or log");
        };
    }
}
