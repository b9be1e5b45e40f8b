package dev.millrace.server.manifests;

import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.manifest.ReadResult;
import dev.millrace.server.command.RefusedException;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Applies a text of one or more documents, each by itself: one that is wrong does not keep back the
 * others.
 */
public final class Application {

    private final ManifestStore store;
    private final TemplateLookup templates;
    private final Set<String> plugins;

    /**
     * @param plugins names of the plugins for templates that are there
     */
    public Application(ManifestStore store, TemplateLookup templates, Set<String> plugins) {
        this.store = store;
        this.templates = templates;
        this.plugins = Set.copyOf(plugins);
    }

    /**
     * What became of one document.
     *
     * @param outcome {@code created}, {@code configured}, {@code unchanged}, {@code refused} or
     *     {@code skipped}
     * @param problems what is wrong with it, warnings too
     */
    public record Result(
            Kind kind, String namespace, String name, String outcome, List<Problem> problems) {}

    /**
     * What became of a text.
     *
     * @param problems those of no known document: text that is no YAML, unknown kinds
     */
    public record Report(List<Result> results, List<Problem> problems) {

        public boolean hasErrors() {
            return problems.stream().anyMatch(Problem::isError)
                    || results.stream()
                            .anyMatch(r -> r.problems().stream().anyMatch(Problem::isError));
        }
    }

    /**
     * Applies what fulfils a condition; other documents are {@code skipped}.
     *
     * @param source what problems call the text: the file's name
     */
    public Report apply(String source, String text, Predicate<Manifest> which) {
        ReadResult read = ManifestReader.read(source, text);
        List<Problem> rest = new ArrayList<>(read.problems());
        List<Result> results = new ArrayList<>();
        TemplateLookup known = new WithThoseOf(read, templates);
        for (ManifestDocument document : read.documents()) {
            rest.removeAll(document.problems());
            results.add(apply(document, which, known));
        }
        return new Report(results, rest);
    }

    private Result apply(
            ManifestDocument document, Predicate<Manifest> which, TemplateLookup known) {
        Manifest manifest = document.manifest();
        List<Problem> problems = new ArrayList<>(document.problems());
        if (!which.test(manifest)) {
            return result(manifest, "skipped", problems);
        }
        store.awaitOwnWrites();
        problems.addAll(Meaning.storing(document, known, plugins, store.now()));
        if (problems.stream().anyMatch(Problem::isError)) {
            return result(manifest, "refused", problems);
        }
        try {
            return result(manifest, store.apply(manifest).text(), problems);
        } catch (RefusedException e) {
            switch (e.code()) {
                case INVALID_ARGUMENT, FAILED_PRECONDITION, ALREADY_EXISTS, NOT_FOUND -> {
                    problems.add(Problem.error(document.places().start(), "", e.reason(), ""));
                    return result(manifest, "refused", problems);
                }
                case UNKNOWN,
                        DEADLINE_EXCEEDED,
                        PERMISSION_DENIED,
                        RESOURCE_EXHAUSTED,
                        UNIMPLEMENTED,
                        INTERNAL,
                        UNAVAILABLE,
                        UNAUTHENTICATED ->
                        throw e;
            }
            throw e;
        }
    }

    /** Templates of the same text count as stored, whichever comes first in it. */
    private record WithThoseOf(ReadResult text, TemplateLookup stored) implements TemplateLookup {

        @Override
        public @Nullable JsonNode workflowTemplate(String namespace, String name) {
            JsonNode own = find(Kind.WORKFLOW_TEMPLATE, namespace, name);
            return own == null ? stored.workflowTemplate(namespace, name) : own;
        }

        @Override
        public @Nullable JsonNode clusterWorkflowTemplate(String name) {
            JsonNode own = find(Kind.CLUSTER_WORKFLOW_TEMPLATE, "", name);
            return own == null ? stored.clusterWorkflowTemplate(name) : own;
        }

        private @Nullable JsonNode find(Kind kind, String namespace, String name) {
            return text.manifests().stream()
                    .filter(m -> m.kind() == kind && m.namespace().equals(namespace))
                    .filter(m -> name.equals(m.name()))
                    .map(Manifest::tree)
                    .findFirst()
                    .orElse(null);
        }
    }

    private static Result result(Manifest manifest, String outcome, List<Problem> problems) {
        String name =
                manifest.name() == null ? manifest.metadata().generateName() + "" : manifest.name();
        return new Result(
                manifest.kind(), manifest.namespace(), name, outcome, List.copyOf(problems));
    }
}
