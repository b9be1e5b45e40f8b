package dev.millrace.schemas.sensor;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a trigger does and when.
 *
 * @param conditions dependency names joined by {@code &&}, {@code ||} and parentheses; absent means
 *     all of them
 */
public record TriggerTemplate(
        String name,
        @Nullable String conditions,
        List<ConditionsReset> conditionsReset,
        @Nullable K8sTrigger k8s,
        @Nullable ArgoWorkflowTrigger argoWorkflow,
        @Nullable HttpTrigger http,
        @Nullable JsonNode awsLambda,
        @Nullable JsonNode azureEventHubs,
        @Nullable JsonNode azureServiceBus,
        @Nullable JsonNode kafka,
        @Nullable JsonNode pulsar,
        @Nullable JsonNode nats,
        @Nullable JsonNode slack,
        @Nullable JsonNode openWhisk,
        @Nullable JsonNode custom,
        @Nullable LogTrigger log,
        @Nullable JsonNode email) {
    public TriggerTemplate {
        conditionsReset = conditionsReset == null ? List.of() : conditionsReset;
    }

    /**
     * The action: of several, the first in the order of the reference; none is an error of the
     * manifest's meaning.
     */
    public Optional<TriggerAction> action() {
        if (k8s != null) {
            return Optional.of(k8s);
        }
        if (argoWorkflow != null) {
            return Optional.of(argoWorkflow);
        }
        if (http != null) {
            return Optional.of(http);
        }
        if (awsLambda != null) {
            return Optional.of(new TriggerAction.Other("awsLambda", awsLambda));
        }
        if (azureEventHubs != null) {
            return Optional.of(new TriggerAction.Other("azureEventHubs", azureEventHubs));
        }
        if (azureServiceBus != null) {
            return Optional.of(new TriggerAction.Other("azureServiceBus", azureServiceBus));
        }
        if (kafka != null) {
            return Optional.of(new TriggerAction.Other("kafka", kafka));
        }
        if (pulsar != null) {
            return Optional.of(new TriggerAction.Other("pulsar", pulsar));
        }
        if (nats != null) {
            return Optional.of(new TriggerAction.Other("nats", nats));
        }
        if (slack != null) {
            return Optional.of(new TriggerAction.Other("slack", slack));
        }
        if (openWhisk != null) {
            return Optional.of(new TriggerAction.Other("openWhisk", openWhisk));
        }
        if (custom != null) {
            return Optional.of(new TriggerAction.Other("custom", custom));
        }
        if (log != null) {
            return Optional.of(log);
        }
        if (email != null) {
            return Optional.of(new TriggerAction.Other("email", email));
        }
        return Optional.empty();
    }
}
