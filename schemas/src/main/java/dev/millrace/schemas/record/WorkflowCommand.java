package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.millrace.schemas.workflow.Outputs;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A record of {@code workflow-commands}. Keyed by {@code namespace/name}. The command id is the
 * caller's; a repeat gets the first answer.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = WorkflowCommand.Submit.class, name = "Submit"),
    @JsonSubTypes.Type(value = WorkflowCommand.SubmitPart.class, name = "SubmitPart"),
    @JsonSubTypes.Type(value = WorkflowCommand.Shutdown.class, name = "Shutdown"),
    @JsonSubTypes.Type(value = WorkflowCommand.Suspend.class, name = "Suspend"),
    @JsonSubTypes.Type(value = WorkflowCommand.Resume.class, name = "Resume"),
    @JsonSubTypes.Type(value = WorkflowCommand.SetNode.class, name = "SetNode"),
    @JsonSubTypes.Type(value = WorkflowCommand.Retry.class, name = "Retry"),
    @JsonSubTypes.Type(value = WorkflowCommand.AnswerCache.class, name = "AnswerCache"),
    @JsonSubTypes.Type(value = WorkflowCommand.Delete.class, name = "Delete"),
    @JsonSubTypes.Type(value = WorkflowCommand.LockGranted.class, name = "LockGranted"),
    @JsonSubTypes.Type(value = WorkflowCommand.LockWaiting.class, name = "LockWaiting"),
    @JsonSubTypes.Type(value = WorkflowCommand.LockRefused.class, name = "LockRefused")
})
public sealed interface WorkflowCommand {
    String commandId();

    String namespace();

    String name();

    /**
     * Start a workflow. {@code spec} is what runs: references to templates are merged already, and
     * every template that a {@code templateRef} names stands in {@code storedTemplates} under
     * {@code namespaced|cluster/object/template}. {@code manifest} is what the user wrote (its
     * metadata and spec are shown to clients). {@code artifactRepository} is where artifacts go
     * that name no place of their own, as an artifact's location with {@code keyFormat} for {@code
     * key}; absent where there is none. {@code configMaps} holds the data of the ConfigMaps that
     * parameters may come from, {@code carried} the steps that an earlier workflow did, by node
     * name without the workflow's; {@code estimate} is absent if there is nothing to go by, {@code
     * warnings} if there is nothing to say of the manifest. {@code parts} is set where the source
     * is too large for a record: so many {@link SubmitPart} hold it then, and what is left here is
     * metadata.
     */
    record Submit(
            String commandId,
            String namespace,
            String name,
            String uid,
            JsonNode manifest,
            JsonNode spec,
            Map<String, JsonNode> storedTemplates,
            boolean fromTemplate,
            @Nullable Origin origin,
            @Nullable JsonNode artifactRepository,
            Map<String, Map<String, String>> configMaps,
            Map<String, Carried> carried,
            @Nullable Estimate estimate,
            @Nullable Integer parts,
            List<String> warnings)
            implements WorkflowCommand {
        public Submit {
            storedTemplates = storedTemplates == null ? Map.of() : storedTemplates;
            configMaps = configMaps == null ? Map.of() : configMaps;
            carried = carried == null ? Map.of() : carried;
            warnings = warnings == null ? List.of() : List.copyOf(warnings);
        }

        /** Of what runs and no more. */
        public Submit(
                String commandId,
                String namespace,
                String name,
                String uid,
                JsonNode manifest,
                JsonNode spec,
                Map<String, JsonNode> storedTemplates,
                boolean fromTemplate,
                @Nullable Origin origin,
                @Nullable JsonNode artifactRepository) {
            this(
                    commandId,
                    namespace,
                    name,
                    uid,
                    new WorkflowSource(manifest, spec, storedTemplates, artifactRepository),
                    fromTemplate,
                    origin,
                    null);
        }

        /** Of a source. */
        public Submit(
                String commandId,
                String namespace,
                String name,
                String uid,
                WorkflowSource source,
                boolean fromTemplate,
                @Nullable Origin origin,
                @Nullable Integer parts) {
            this(
                    commandId,
                    namespace,
                    name,
                    uid,
                    source.manifest(),
                    source.spec(),
                    source.storedTemplates(),
                    fromTemplate,
                    origin,
                    source.artifactRepository(),
                    source.configMaps(),
                    source.carried(),
                    source.estimate(),
                    parts,
                    source.warnings());
        }

        /** What the workflow starts from. */
        public WorkflowSource source() {
            return new WorkflowSource(
                    manifest,
                    spec,
                    storedTemplates,
                    artifactRepository,
                    null,
                    configMaps,
                    carried,
                    estimate,
                    warnings);
        }

        /** The same command with steps that need not run. */
        public Submit carrying(Map<String, Carried> steps) {
            return new Submit(
                    commandId,
                    namespace,
                    name,
                    uid,
                    manifest,
                    spec,
                    storedTemplates,
                    fromTemplate,
                    origin,
                    artifactRepository,
                    configMaps,
                    steps,
                    estimate,
                    parts,
                    warnings);
        }
    }

    /**
     * A part of the source of a submission that follows under the same command id.
     *
     * @param index its place among the parts, from 0
     * @param data the part, see {@link SourceParts}
     */
    record SubmitPart(String commandId, String namespace, String name, int index, String data)
            implements WorkflowCommand {}

    /** End it early. With a selector only the suspend nodes that match are failed. */
    record Shutdown(
            String commandId,
            String namespace,
            String name,
            ShutdownStrategy strategy,
            @Nullable String nodeFieldSelector,
            @Nullable String message)
            implements WorkflowCommand {}

    /** Start nothing new. */
    record Suspend(String commandId, String namespace, String name) implements WorkflowCommand {}

    /** Go on: complete the suspend nodes (those that match the selector) and start what waited. */
    record Resume(
            String commandId,
            String namespace,
            String name,
            @Nullable String nodeFieldSelector,
            @Nullable String actor)
            implements WorkflowCommand {}

    /** Supply outputs, message or phase of suspend nodes. */
    record SetNode(
            String commandId,
            String namespace,
            String name,
            @Nullable String nodeFieldSelector,
            Map<String, String> outputParameters,
            @Nullable String message,
            @Nullable NodePhase phase)
            implements WorkflowCommand {
        public SetNode {
            outputParameters = outputParameters == null ? Map.of() : outputParameters;
        }
    }

    /**
     * Take up an ended workflow where it failed. {@code nodeFieldSelector} picks nodes that
     * succeeded and are done again, if {@code restartSuccessful}. {@code parameters} replace
     * arguments of the workflow.
     */
    record Retry(
            String commandId,
            String namespace,
            String name,
            boolean restartSuccessful,
            @Nullable String nodeFieldSelector,
            Map<String, String> parameters)
            implements WorkflowCommand {
        public Retry {
            parameters = parameters == null ? Map.of() : parameters;
        }
    }

    /**
     * What a cache holds for a node that asked ({@link CacheRequest.Load}). Nobody waits for an
     * answer to it.
     *
     * @param createdAt when the entry was saved; absent if there is none
     * @param error why the cache cannot be read, absent if it can
     */
    record AnswerCache(
            String commandId,
            String namespace,
            String name,
            String uid,
            String nodeId,
            int run,
            @Nullable Instant createdAt,
            @Nullable Outputs outputs,
            @Nullable String error)
            implements WorkflowCommand {}

    /**
     * Forget the workflow; running steps are stopped. {@code endedUid} asks for more: that the
     * workflow has this uid and has ended, or nothing is done; absent if it may be in any state.
     */
    record Delete(String commandId, String namespace, String name, @Nullable String endedUid)
            implements WorkflowCommand {
        /** Whatever it does. */
        public Delete(String commandId, String namespace, String name) {
            this(commandId, namespace, name, null);
        }
    }

    /**
     * What became of a request for locks; nobody waits for an answer to it. A holder that does not
     * want them (any more) gives them back.
     */
    sealed interface LockAnswer extends WorkflowCommand {
        LockHolder holder();

        @Override
        default String commandId() {
            return "locks/" + holder().id();
        }

        @Override
        default String namespace() {
            return holder().namespace();
        }

        @Override
        default String name() {
            return holder().name();
        }
    }

    /** The holder has all of its locks. */
    record LockGranted(LockHolder holder) implements LockAnswer {}

    /** The holder waits; {@code lock} is the first one in its way. */
    record LockWaiting(LockHolder holder, String lock, String message) implements LockAnswer {}

    /** The holder cannot have its locks, since the limit of one cannot be had. */
    record LockRefused(LockHolder holder, String message) implements LockAnswer {}
}
