package dev.millrace.server.command;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.manifest.ReadResult;
import dev.millrace.schemas.record.Origin;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.server.configuration.WorkflowDefaults;
import dev.millrace.server.manifests.ManifestStore;
import dev.millrace.server.manifests.Meaning;
import dev.millrace.server.readmodel.Estimates;
import dev.millrace.workflowengine.submission.ConfigMapLookup;
import dev.millrace.workflowengine.submission.ConfigMapReferences;
import dev.millrace.workflowengine.submission.References;
import dev.millrace.workflowengine.submission.ResolvedWorkflow;
import dev.millrace.workflowengine.submission.TemplateLookup;
import dev.millrace.workflowengine.submission.UnresolvedReferenceException;
import dev.millrace.workflowengine.validation.Acceptance;
import dev.millrace.workflowengine.validation.PluginCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes submit commands of workflow manifests: strict about what is written, since a misspelt field
 * would be lost.
 */
public final class WorkflowSubmission {

    /** So many characters Kubernetes appends to {@code generateName}. */
    private static final int SUFFIX = 5;

    private static final int LONGEST_NAME = 63;

    private final ManifestStore manifests;
    private final TemplateLookup templates;
    private final ConfigMapLookup configMaps;
    private final ArtifactRepositories repositories;
    private final WorkflowDefaults defaults;
    private final Estimates estimates;
    private final Set<String> plugins;

    /**
     * @param plugins names of the plugins for templates that are there
     */
    public WorkflowSubmission(
            ManifestStore manifests,
            TemplateLookup templates,
            ConfigMapLookup configMaps,
            ArtifactRepositories repositories,
            WorkflowDefaults defaults,
            Estimates estimates,
            Set<String> plugins) {
        this.manifests = manifests;
        this.templates = templates;
        this.configMaps = configMaps;
        this.repositories = repositories;
        this.defaults = defaults;
        this.estimates = estimates;
        this.plugins = Set.copyOf(plugins);
    }

    /** Names of the plugins for templates that are there. */
    public Set<String> plugins() {
        return plugins;
    }

    /**
     * A workflow as a client sent it, made whole: kind, apiVersion and namespace stand in it, and
     * what only a server says (status, uid …) does not.
     *
     * @param namespace where it shall run
     * @throws RefusedException if it names another namespace
     */
    public static ObjectNode normalized(JsonNode sent, Kind kind, String namespace) {
        if (!(sent instanceof ObjectNode object)) {
            throw RefusedException.invalid(
                    "a "
                            + kind
                            + " is expected as a JSON object; got "
                            + (sent.isMissingNode() || sent.isNull()
                                    ? "none"
                                    : sent.getNodeType()
                                            .name()
                                            .toLowerCase(java.util.Locale.ROOT)));
        }
        ObjectNode whole = Json.object();
        whole.put("apiVersion", object.path("apiVersion").asString(kind.apiVersion()));
        whole.put("kind", object.path("kind").asString(kind.yamlName()));
        ObjectNode copy = object.deepCopy();
        copy.remove(List.of("apiVersion", "kind", "status"));
        whole.setAll(copy);
        if (!whole.path("kind").asString("").equals(kind.yamlName())) {
            throw RefusedException.invalid(
                    "kind: this address takes a "
                            + kind
                            + ", not a "
                            + whole.path("kind").asString("")
                            + "; POST /api/v1/manifests takes all kinds");
        }
        JsonNode metadata = whole.path("metadata");
        ObjectNode own = metadata instanceof ObjectNode m ? m : whole.putObject("metadata");
        own.remove(
                List.of(
                        "uid",
                        "resourceVersion",
                        "creationTimestamp",
                        "generation",
                        "managedFields",
                        "selfLink"));
        if (kind.isNamespaced()) {
            String written = own.path("namespace").asString("");
            if (!written.isEmpty() && !namespace.isEmpty() && !written.equals(namespace)) {
                throw RefusedException.invalid(
                        "metadata.namespace is %s, but the request is for namespace %s; write the same in both"
                                .formatted(written, namespace));
            }
            own.put(
                    "namespace",
                    !written.isEmpty()
                            ? written
                            : namespace.isEmpty() ? Manifest.DEFAULT_NAMESPACE : namespace);
        }
        return whole;
    }

    /**
     * Checks structure and meaning, as lint does.
     *
     * @throws RefusedException naming each place and what to do
     */
    public Manifest lint(ObjectNode tree) {
        return check(tree, d -> Meaning.lint(d, templates, () -> plugins, manifests.now()))
                .manifest();
    }

    /**
     * Checks whether a definition may be stored.
     *
     * @throws RefusedException naming each place and what to do
     */
    public Manifest storable(ObjectNode tree) {
        return check(tree, d -> Meaning.storing(d, templates, plugins, manifests.now())).manifest();
    }

    private Checked check(ObjectNode tree, Function<ManifestDocument, List<Problem>> meaning) {
        String source = tree.path("kind").asString("manifest").toLowerCase(java.util.Locale.ROOT);
        ReadResult read = ManifestReader.check(source, tree);
        if (read.documents().isEmpty()) {
            throw RefusedException.invalid(read.errors());
        }
        ManifestDocument document = read.documents().getFirst();
        // What the caller applied before it submits shall be seen.
        manifests.awaitOwnWrites();
        List<Problem> problems =
                Stream.concat(read.problems().stream(), meaning.apply(document).stream()).toList();
        List<Problem> errors = problems.stream().filter(Problem::isError).toList();
        if (!errors.isEmpty()) {
            throw RefusedException.invalid(errors);
        }
        return new Checked(document.manifest(), problems);
    }

    /** A manifest that may be taken, with the warnings about it. */
    private record Checked(Manifest manifest, List<Problem> warnings) {

        /**
         * What clients of the workflow are told, without places in a text that they do not have.
         */
        List<String> said() {
            return warnings.stream().map(w -> w.path() + ": " + w.message()).distinct().toList();
        }
    }

    /**
     * The command that starts a workflow.
     *
     * @param commandId the same again for a repeat
     * @param origin who asks, null for a person without a name
     * @throws RefusedException if the manifest is wrong or a reference leads nowhere
     */
    public WorkflowCommand.Submit command(
            ObjectNode tree, String commandId, @Nullable Origin origin) {
        return command(tree, commandId, SUFFIX, origin);
    }

    /**
     * {@link #command(ObjectNode, String, Origin)} with another length of the end of a generated
     * name.
     */
    public WorkflowCommand.Submit command(
            ObjectNode written, String commandId, int suffixLength, @Nullable Origin origin) {
        ObjectNode tree = withDefaults(written);
        Checked checked = check(tree, this::runnable);
        Manifest manifest = checked.manifest();
        String name = name(manifest, commandId, suffixLength);
        ObjectNode named = tree.deepCopy();
        named.withObject("/metadata").put("name", name);
        ResolvedWorkflow resolved = resolve(named.path("spec"), manifest.namespace());
        return new WorkflowCommand.Submit(
                commandId,
                manifest.namespace(),
                name,
                CommandIds.uid(commandId),
                new WorkflowSource(
                        named,
                        resolved.spec(),
                        resolved.storedTemplates(),
                        repositories.of(resolved.spec(), manifest.namespace()),
                        null,
                        ConfigMapReferences.data(resolved, manifest.namespace(), configMaps),
                        Map.of(),
                        estimates
                                .of(manifest.namespace(), named.path("metadata").path("labels"))
                                .orElse(null),
                        checked.said()),
                resolved.fromTemplate(),
                origin,
                null);
    }

    private List<Problem> runnable(ManifestDocument document) {
        JsonNode tree = document.manifest().tree();
        List<Problem> problems =
                new ArrayList<>(Acceptance.check(tree, templates, false, document.places()));
        problems.addAll(PluginCheck.check(tree, templates, plugins, document.places()));
        return problems;
    }

    /**
     * Defaults stand in the workflow itself, where a person sees them; under a template they would
     * win over it, so there they come in when it is resolved.
     */
    private ObjectNode withDefaults(ObjectNode written) {
        ObjectNode whole = written.deepCopy();
        whole.set("metadata", References.merge(defaults.metadata(), metadata(written)));
        if (written.path("spec") instanceof ObjectNode spec
                && !spec.path("workflowTemplateRef").isObject()) {
            whole.set("spec", References.merge(defaults.spec(), spec));
        }
        return whole;
    }

    private static ObjectNode metadata(ObjectNode written) {
        return written.path("metadata") instanceof ObjectNode metadata ? metadata : Json.object();
    }

    private ResolvedWorkflow resolve(JsonNode spec, String namespace) {
        try {
            return References.resolve(spec, namespace, templates, defaults.spec());
        } catch (UnresolvedReferenceException e) {
            throw RefusedException.invalid(String.valueOf(e.getMessage()));
        }
    }

    private static String name(Manifest manifest, String commandId, int suffixLength) {
        if (manifest.name() != null && !manifest.name().isEmpty()) {
            return manifest.name();
        }
        String prefix = String.valueOf(manifest.metadata().generateName());
        String kept = prefix.substring(0, Math.min(prefix.length(), LONGEST_NAME - suffixLength));
        return kept + CommandIds.suffix(commandId, suffixLength);
    }
}
