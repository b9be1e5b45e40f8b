package dev.millrace.cli.view;

import dev.millrace.schemas.Json;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import tools.jackson.databind.JsonNode;

/** Objects as texts for people and programs. */
public final class YamlText {

    private YamlText() {}

    /** As YAML in block style. */
    public static String of(JsonNode object) {
        DumpSettings settings =
                DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).setWidth(160).setSplitLines(false).build();
        return new Dump(settings).dumpToString(Json.mapper().treeToValue(object, Object.class));
    }

    /** As indented JSON. */
    public static String json(JsonNode object) {
        return object.toPrettyString();
    }
}
