package dev.millrace.workflowengine.validation;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What a template is, by the member that says so. */
enum TemplateType {
    CONTAINER("container", Outputs.FILES),
    CONTAINER_SET("containerSet", Outputs.FILES),
    STEPS("steps", Outputs.OF_CALLS),
    SCRIPT("script", Outputs.FILES),
    RESOURCE("resource", Outputs.OF_OBJECT),
    DAG("dag", Outputs.OF_CALLS),
    SUSPEND("suspend", Outputs.SUPPLIED),
    DATA("data", Outputs.FILES),
    HTTP("http", Outputs.ANY),
    PLUGIN("plugin", Outputs.ANY);

    /** Where output parameters can come from. */
    enum Outputs {
        FILES(List.of("path"), ".path"),
        OF_CALLS(List.of("parameter", "expression"), ".parameter or expression"),
        OF_OBJECT(List.of("jsonPath", "jqFilter"), ".jqFilter or jsonPath"),
        SUPPLIED(List.of("supplied"), ".supplied"),
        ANY(List.of(), "");

        private final List<String> kinds;
        private final String words;

        Outputs(List<String> kinds, String words) {
            this.kinds = kinds;
            this.words = words;
        }

        /** The members of {@code valueFrom} that fit; empty if all do. */
        List<String> kinds() {
            return kinds;
        }

        String words() {
            return words;
        }
    }

    /** The members of all types. */
    static final Set<String> MEMBERS =
            Arrays.stream(values())
                    .map(TemplateType::member)
                    .collect(Collectors.toUnmodifiableSet());

    /** Fields that only templates have that do something themselves. */
    static final List<String> LEAF_ONLY =
            List.of("activeDeadlineSeconds", "timeout", "pendingTimeout");

    /** Fields that only templates have that call others. */
    static final List<String> CALLER_ONLY = List.of("parallelism", "failFast");

    private final String member;
    private final Outputs outputs;

    TemplateType(String member, Outputs outputs) {
        this.member = member;
        this.outputs = outputs;
    }

    /** The types whose members a template has; one if it is right. */
    static List<TemplateType> of(JsonNode template) {
        return Arrays.stream(values()).filter(type -> template.hasNonNull(type.member)).toList();
    }

    static String choices() {
        return Arrays.stream(values()).map(TemplateType::member).collect(Collectors.joining(", "));
    }

    String member() {
        return member;
    }

    Outputs outputs() {
        return outputs;
    }

    /** Whether it does something itself rather than call other templates. */
    boolean isLeaf() {
        return outputs != Outputs.OF_CALLS;
    }

    /** Whether it runs programs in a pod of its own, with a file system. */
    boolean isPod() {
        return outputs == Outputs.FILES;
    }

    /** Whether a run of it leaves {@code outputs.result} and {@code exitCode}. */
    boolean hasResult() {
        return isLeaf() && this != SUSPEND;
    }
}
