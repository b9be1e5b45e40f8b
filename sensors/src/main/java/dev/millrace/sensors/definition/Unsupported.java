package dev.millrace.sensors.definition;

import dev.millrace.schemas.sensor.DataFilter;
import dev.millrace.schemas.sensor.DependencyFilters;
import dev.millrace.schemas.sensor.EventDependency;
import dev.millrace.schemas.yaml.DocumentPath;
import java.util.List;
import java.util.Optional;

/** What a dependency may say that Millrace cannot do yet: its triggers stop rather than guess. */
final class Unsupported {

    static final Part NONE = new Part(DocumentPath.ROOT, "this");

    private Unsupported() {}

    /**
     * A part that cannot be honoured.
     *
     * @param path from the dependency on
     */
    record Part(DocumentPath path, String what) {

        String message() {
            return what + " is not supported yet";
        }
    }

    static Optional<Part> inDependency(EventDependency dependency) {
        if (dependency.transform() != null) {
            String language = dependency.transform().jq() != null ? "jq" : "script";
            return Optional.of(
                    new Part(
                            DocumentPath.ROOT.key("transform"),
                            "transforming events (" + language + ")"));
        }
        DependencyFilters filters = dependency.filters();
        if (filters == null) {
            return Optional.empty();
        }
        DocumentPath path = DocumentPath.ROOT.key("filters");
        if (filters.script() != null && !filters.script().isEmpty()) {
            return Optional.of(new Part(path.key("script"), "a filter in Lua"));
        }
        List<DataFilter> data = filters.data();
        for (int i = 0; i < data.size(); i++) {
            String template = data.get(i).template();
            if (template != null && !template.isEmpty()) {
                return Optional.of(
                        new Part(
                                path.key("data").index(i).key("template"),
                                "a template in a data filter"));
            }
        }
        return Optional.empty();
    }
}
