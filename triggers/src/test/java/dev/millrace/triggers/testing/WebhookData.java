package dev.millrace.triggers.testing;

import dev.millrace.expressions.gojson.GoJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The data of an event of a webhook, made from a request. */
public final class WebhookData {

    private WebhookData() {}

    /**
     * @param headers pairs of name and value, names in canonical spelling
     */
    public static String of(JsonNode headers, String body) {
        TreeMap<String, List<String>> all = new TreeMap<>();
        for (JsonNode header : headers) {
            all.put(header.path(0).asString(), List.of(header.path(1).asString()));
        }
        all.put(
                "Content-Length",
                List.of(Integer.toString(body.getBytes(StandardCharsets.UTF_8).length)));
        return "{\"header\":" + GoJson.encode(all) + ",\"body\":" + GoJson.compact(body) + "}";
    }
}
