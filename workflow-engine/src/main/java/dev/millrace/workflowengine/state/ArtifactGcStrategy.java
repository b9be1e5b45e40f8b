package dev.millrace.workflowengine.state;

import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.schemas.workflow.Artifact;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** When an artifact is deleted: what it says itself counts, else what the workflow says. */
public enum ArtifactGcStrategy {
    ON_COMPLETION("OnWorkflowCompletion"),
    ON_DELETION("OnWorkflowDeletion"),
    NEVER("Never");

    private static final String MEMBER = "artifactGC";

    private final String text;

    ArtifactGcStrategy(String text) {
        this.text = text;
    }

    /** The name that manifests and clients use. */
    public String text() {
        return text;
    }

    /** The strategy for one artifact of a workflow. */
    public static ArtifactGcStrategy of(WorkflowSource source, Artifact artifact) {
        ArtifactGcStrategy own = read(artifact.artifactGC());
        if (own != null) {
            return own;
        }
        ArtifactGcStrategy general = read(source.spec().path(MEMBER));
        return general == null ? NEVER : general;
    }

    /** The strategies under which a workflow may delete something, {@link #NEVER} left out. */
    public static Set<ArtifactGcStrategy> declared(WorkflowSource source) {
        Set<ArtifactGcStrategy> all = EnumSet.noneOf(ArtifactGcStrategy.class);
        source.spec().findValues(MEMBER).forEach(gc -> add(all, gc));
        source.storedTemplates()
                .values()
                .forEach(t -> t.findValues(MEMBER).forEach(gc -> add(all, gc)));
        return all;
    }

    private static void add(Set<ArtifactGcStrategy> all, JsonNode gc) {
        ArtifactGcStrategy strategy = read(gc);
        if (strategy != null && strategy != NEVER) {
            all.add(strategy);
        }
    }

    private static @Nullable ArtifactGcStrategy read(@Nullable JsonNode gc) {
        String text = gc == null ? "" : gc.path("strategy").asString("");
        for (ArtifactGcStrategy strategy : values()) {
            if (strategy.text.equals(text)) {
                return strategy;
            }
        }
        return null;
    }
}
