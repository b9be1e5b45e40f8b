package dev.millrace.workflowengine.validation;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The containers of a template, whatever its type. */
final class Containers {

    private Containers() {}

    /**
     * A container, or the part of a container set that holds for all of its containers.
     *
     * @param label what messages call it
     */
    record Placed(JsonNode body, Where where, String label) {}

    static List<Placed> of(PlacedTemplate template) {
        List<Placed> all = new ArrayList<>();
        for (TemplateType type :
                List.of(TemplateType.CONTAINER, TemplateType.SCRIPT, TemplateType.CONTAINER_SET)) {
            JsonNode body = template.body().path(type.member());
            if (body.isObject()) {
                all.add(
                        new Placed(
                                body,
                                template.where().key(type.member()),
                                template.label() + "." + type.member()));
            }
        }
        JsonNode set = template.body().path("containerSet");
        add(
                set.path("containers"),
                template.where().key("containerSet").key("containers"),
                template.label() + ".containerSet.containers",
                all);
        for (String list : List.of("initContainers", "sidecars")) {
            add(
                    template.body().path(list),
                    template.where().key(list),
                    template.label() + "." + list,
                    all);
        }
        return all;
    }

    private static void add(JsonNode list, Where where, String label, List<Placed> all) {
        for (int i = 0; i < list.size(); i++) {
            all.add(new Placed(list.get(i), where.index(i), label + "[" + i + "]"));
        }
    }
}
