package dev.millrace.workflowengine.core;

import dev.millrace.schemas.workflow.Inputs;
import dev.millrace.schemas.workflow.Template;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A template with the inputs of one call put in.
 *
 * @param body the template's tree without its steps or tasks; tags of later stages are still in it
 * @param template the same as a record
 * @param inputs what the template declares, with values; null if it declares nothing
 * @param scope the scope in which names inside the template are looked up
 * @param definition the steps or tasks, as they are written
 * @param filling puts the inputs into a step or task
 */
record Called(
        JsonNode body,
        Template template,
        @Nullable Inputs inputs,
        String scope,
        Definition definition,
        UnaryOperator<JsonNode> filling) {

    /** How many groups of steps there are. */
    int groups() {
        return definition.groups().size();
    }

    /** How many steps a group has. */
    int steps(int group) {
        return definition.groups().get(group).size();
    }

    /**
     * A step with the inputs put in.
     *
     * @throws CallException if a tag cannot be replaced
     */
    JsonNode step(int group, int index) {
        return filled(definition.groups().get(group).path(index));
    }

    /**
     * The step or task of this name with the inputs put in, or null.
     *
     * @throws CallException if a tag cannot be replaced
     */
    @Nullable JsonNode member(@Nullable String name) {
        JsonNode member = definition.member(name);
        return member == null ? null : filled(member);
    }

    private JsonNode filled(JsonNode member) {
        return definition.tagged(member) ? filling.apply(member) : member;
    }
}
