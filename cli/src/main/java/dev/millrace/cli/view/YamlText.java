package dev.millrace.cli.view;

import dev.millrace.schemas.Json;
import java.util.Locale;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;
import tools.jackson.databind.JsonNode;

/** Objects as texts for people and programs. */
public final class YamlText {

    private static final Set<String> WORDS =
            Set.of("", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "<<", "=");

    private YamlText() {}

    /** As YAML in block style. */
    public static String of(JsonNode object) {
        DumpSettings settings =
                DumpSettings.builder()
                        .setDefaultFlowStyle(FlowStyle.BLOCK)
                        .setSplitLines(false)
                        .build();
        return new Dump(settings, new Quoting(settings))
                .dumpToString(Json.mapper().treeToValue(object, Object.class));
    }

    /** As indented JSON. */
    public static String json(JsonNode object) {
        return object.toPrettyString();
    }

    /**
     * Quotes what another reader, one of YAML 1.1 as a rule, would not take for the text that it
     * is.
     */
    private static final class Quoting extends StandardRepresenter {

        Quoting(DumpSettings settings) {
            super(settings);
            representers.put(String.class, data -> text((String) data));
        }

        private Node text(String text) {
            ScalarStyle style =
                    isAmbiguous(text)
                            ? ScalarStyle.DOUBLE_QUOTED
                            : text.contains("\n") ? ScalarStyle.LITERAL : ScalarStyle.PLAIN;
            return representScalar(Tag.STR, text, style);
        }
    }

    /** Words of YAML, and whatever begins like a number or a date. */
    static boolean isAmbiguous(String text) {
        return WORDS.contains(text.toLowerCase(Locale.ROOT))
                || text.matches("(?s)[-+.]{0,2}[0-9].*|[-+]?\\.(?i:inf|nan)");
    }
}
