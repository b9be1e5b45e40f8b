package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.manifest.Problem.Severity;
import dev.millrace.schemas.yaml.Places;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What a manifest asks for that cannot run yet. An error here means that the workflow must not
 * start, since it would stop half-way; a warning, that something a user would miss is left out.
 * What only shapes pods (resources, affinity, tolerations, service accounts …) is left out in
 * silence.
 */
public final class Support {
    private static final String MUTEX_IN_LOG =
            "leave out database: true; a mutex is kept in the log and holds for every server of the installation";
    private static final String LIMIT_IN_CONFIG_MAP =
            "put the limit into a ConfigMap and name it by configMapKeyRef";

    /**
     * One part of a manifest.
     *
     * @param path from the spec or template; {@code []} stands for every item of a list
     */
    private record Part(Severity severity, String path, String what, String hint) {}

    private static final List<Part> OF_SPEC =
            List.of(
                    refused(
                            "synchronization.mutexes[].database",
                            "a mutex in a database",
                            MUTEX_IN_LOG),
                    refused(
                            "synchronization.semaphores[].database",
                            "a semaphore in a database",
                            LIMIT_IN_CONFIG_MAP),
                    left(
                            "executorPlugins",
                            "executorPlugins",
                            "start the plugin yourself, and say where it listens in the server's setting executorPlugins"),
                    left(
                            "podGC",
                            "podGC",
                            "the folders of steps are kept as the executor is configured to"));

    private static final List<Part> OF_TEMPLATE =
            List.of(
                    refused("resource", "resource templates", "use a container with kubectl"),
                    refused(
                            "synchronization.mutexes[].database",
                            "a mutex in a database",
                            MUTEX_IN_LOG),
                    refused(
                            "synchronization.semaphores[].database",
                            "a semaphore in a database",
                            LIMIT_IN_CONFIG_MAP),
                    refused(
                            "container.env[].valueFrom.resourceFieldRef",
                            "resourceFieldRef",
                            "give the variable a value"),
                    refused(
                            "script.env[].valueFrom.resourceFieldRef",
                            "resourceFieldRef",
                            "give the variable a value"),
                    refused(
                            "container.readinessProbe.grpc",
                            "a gRPC probe",
                            "probe with exec, httpGet or tcpSocket"),
                    refused(
                            "script.readinessProbe.grpc",
                            "a gRPC probe",
                            "probe with exec, httpGet or tcpSocket"));

    /** Kinds of volumes that a step without a pod can have. */
    private static final List<String> MOUNTABLE =
            List.of(
                    "emptyDir",
                    "secret",
                    "configMap",
                    "downwardAPI",
                    "projected",
                    "hostPath",
                    "persistentVolumeClaim");

    private static final List<String> PROJECTABLE = List.of("secret", "configMap", "downwardAPI");

    private final Source source;
    private final Findings findings;
    private final StoreCheck stores;

    private Support(Source source, Findings findings) {
        this.source = source;
        this.findings = findings;
        this.stores = new StoreCheck(findings);
    }

    /**
     * The parts of a manifest, and of the templates it refers to, that cannot run yet.
     *
     * @param manifest a Workflow, WorkflowTemplate, ClusterWorkflowTemplate or CronWorkflow of
     *     sound structure
     * @param lookup where references are looked up; those that lead nowhere are left out
     * @return in the order of the manifest
     */
    public static List<Problem> check(JsonNode manifest, TemplateLookup lookup) {
        return check(manifest, lookup, WorkflowValidator.nowhere(manifest));
    }

    /** {@link #check(JsonNode, TemplateLookup)} with the places of a text. */
    public static List<Problem> check(JsonNode manifest, TemplateLookup lookup, Places places) {
        return findings(manifest, lookup, places).inOrderOf(manifest);
    }

    static Findings findings(JsonNode manifest, TemplateLookup lookup, Places places) {
        Findings findings = new Findings(places);
        Source source = Source.of(manifest, lookup);
        new Support(source, findings).check(new Templates(source, lookup));
        return findings;
    }

    private static Part refused(String path, String what, String hint) {
        return new Part(Severity.ERROR, path, what, hint);
    }

    private static Part left(String path, String what, String hint) {
        return new Part(Severity.WARNING, path, what, hint);
    }

    private void check(Templates templates) {
        parts(OF_SPEC, source.spec(), source.where(), "spec");
        parts(OF_SPEC, source.base(), source.reference(), "spec");
        stores.artifacts(source.arguments(), source.whereOfArguments(), "spec.arguments");
        source.hooks().forEach(this::call);
        Set<String> mounted = new HashSet<>();
        for (PlacedTemplate template : templates.reachable()) {
            parts(OF_TEMPLATE, template.body(), template.where(), template.label());
            stores(template);
            Call.hooks(template.body(), template.where(), template.label()).forEach(this::call);
            for (Call member : Call.members(template)) {
                call(member);
                member.hooks().forEach(this::call);
            }
            for (Containers.Placed container : Containers.of(template)) {
                mounts(template, container, mounted);
            }
        }
        for (String list : List.of("volumes", "volumeClaimTemplates")) {
            if (!source.member(list).isEmpty() && mounted.isEmpty()) {
                findings.warning(
                        source.whereOf(list),
                        "spec." + list + ": no container mounts any of them, they are left out",
                        "");
            }
        }
    }

    private void call(Call call) {
        stores.artifacts(
                call.node().path("arguments"),
                call.where().key("arguments"),
                call.label() + ".arguments");
    }

    private void stores(PlacedTemplate template) {
        for (String member : List.of("inputs", "outputs")) {
            stores.artifacts(
                    template.body().path(member),
                    template.where().key(member),
                    template.label() + "." + member);
        }
        stores.listed(
                template.body().path("data").path("source").path("artifactPaths"),
                template.where().key("data").key("source").key("artifactPaths"),
                template.label() + ".data.source.artifactPaths");
        stores.place(
                template.body().path("archiveLocation"),
                template.where().key("archiveLocation"),
                template.label() + ".archiveLocation");
    }

    private void parts(List<Part> parts, JsonNode owner, Where where, String label) {
        for (Part part : parts) {
            part(part, List.of(part.path().split("\\.")), owner, where, label);
        }
    }

    private void part(Part part, List<String> path, JsonNode at, Where where, String label) {
        if (path.isEmpty()) {
            if (isPresent(at)) {
                switch (part.severity()) {
                    case ERROR ->
                            findings.error(
                                    where,
                                    label + " uses " + part.what() + ", which cannot run yet",
                                    part.hint());
                    case WARNING ->
                            findings.warning(
                                    where,
                                    label + " uses " + part.what() + ", which has no effect yet",
                                    part.hint());
                }
            }
            return;
        }
        List<String> rest = path.subList(1, path.size());
        String step = path.getFirst();
        if (!step.endsWith("[]")) {
            part(part, rest, at.path(step), where.key(step), label);
            return;
        }
        String list = step.substring(0, step.length() - 2);
        for (int i = 0; i < at.path(list).size(); i++) {
            part(part, rest, at.path(list).get(i), where.key(list).index(i), label);
        }
    }

    /** An empty object may mean something, an empty list or a false flag cannot. */
    private static boolean isPresent(JsonNode value) {
        return !value.isMissingNode()
                && !value.isNull()
                && !(value.isArray() && value.isEmpty())
                && !(value.isBoolean() && !value.booleanValue());
    }

    private void mounts(PlacedTemplate template, Containers.Placed container, Set<String> mounted) {
        JsonNode mounts = container.body().path("volumeMounts");
        for (int i = 0; i < mounts.size(); i++) {
            String name = mounts.get(i).path("name").asString("");
            mounted.add(name);
            JsonNode volume = named(template.body().path("volumes"), name);
            if (!volume.isObject()) {
                volume = named(source.member("volumes"), name);
            }
            Where where = container.where().key("volumeMounts").index(i);
            String label = template.label() + ": volume '" + name + "' ";
            if (!volume.isObject()) {
                if (!isClaim(name)) {
                    findings.error(
                            where,
                            label + "is not declared",
                            "declare it in the volumes of the template or of the spec, or in volumeClaimTemplates");
                }
            } else if (!isMountable(volume)) {
                findings.error(
                        where,
                        label + "cannot be mounted yet",
                        "volumes of these kinds can: " + String.join(", ", MOUNTABLE));
            }
        }
    }

    private static boolean isMountable(JsonNode volume) {
        for (JsonNode projected : volume.path("projected").path("sources")) {
            if (PROJECTABLE.stream().noneMatch(projected::hasNonNull)) {
                return false;
            }
        }
        return MOUNTABLE.stream().anyMatch(volume::hasNonNull);
    }

    private static JsonNode named(JsonNode list, String name) {
        for (JsonNode element : list) {
            if (element.path("name").asString("").equals(name)) {
                return element;
            }
        }
        return list.path(-1);
    }

    private boolean isClaim(String name) {
        for (JsonNode claim : source.member("volumeClaimTemplates")) {
            if (claim.path("metadata").path("name").asString("").equals(name)) {
                return true;
            }
        }
        return false;
    }
}
