package dev.millrace.workflowengine.cron.topology;

import dev.millrace.log.serde.UndecodableRecordException;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.workflowengine.cron.ScheduledWorkflow;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/**
 * The beginning and the end of a workflow, as a transition tells of them. Nearly all transitions
 * tell of neither, so a record is read without making anything of its other events: for a busy
 * engine this is the difference between a few microseconds and as many as the projector needs.
 */
record LifeSigns(String uid, List<Sign> signs) {

    /** What a cron has to know. */
    sealed interface Sign {

        /**
         * The workflow was accepted.
         *
         * @param cron the CronWorkflow that it belongs to, null for none
         */
        record Submitted(@Nullable String cron, boolean owned) implements Sign {}

        record Finished(WorkflowPhase phase, Instant at) implements Sign {}

        record Deleted() implements Sign {}
    }

    /** Fails as other values do that cannot be read. */
    static Deserializer<LifeSigns> deserializer() {
        return LifeSigns::nullOrRead;
    }

    @SuppressWarnings("NullAway") // Kafka's interface: null bytes are a tombstone
    private static LifeSigns nullOrRead(String topic, byte[] bytes) {
        return bytes == null ? null : read(topic, bytes);
    }

    static LifeSigns read(String topic, byte[] transition) {
        try (JsonParser in = Json.mapper().createParser(transition)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new UndecodableRecordException(topic, -1, -1, "it is no JSON object", null);
            }
            return transition(in);
        } catch (JacksonException | DateTimeParseException e) {
            throw new UndecodableRecordException(topic, -1, -1, String.valueOf(e.getMessage()), e);
        }
    }

    private static LifeSigns transition(JsonParser in) {
        String uid = "";
        List<Sign> signs = new ArrayList<>();
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String member = in.currentName();
            JsonToken value = in.nextToken();
            if (member.equals("uid") && value == JsonToken.VALUE_STRING) {
                uid = in.getString();
            } else if (member.equals("events") && value == JsonToken.START_ARRAY) {
                while (in.nextToken() == JsonToken.START_OBJECT) {
                    Sign sign = event(in);
                    if (sign != null) {
                        signs.add(sign);
                    }
                }
            } else {
                in.skipChildren();
            }
        }
        return new LifeSigns(uid, List.copyOf(signs));
    }

    /** Only the members of the events that matter are looked at, in whatever order they stand. */
    private static @Nullable Sign event(JsonParser in) {
        String kind = "";
        String phase = "";
        String at = "";
        JsonNode metadata = Json.object();
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String member = in.currentName();
            JsonToken value = in.nextToken();
            if (value == JsonToken.VALUE_STRING) {
                switch (member) {
                    case "kind" -> kind = in.getString();
                    case "phase" -> phase = in.getString();
                    case "at" -> at = in.getString();
                    default -> {}
                }
            } else if (member.equals("manifest") && value == JsonToken.START_OBJECT) {
                metadata = metadata(in);
            } else {
                in.skipChildren();
            }
        }
        return switch (kind) {
            case "Submitted" -> submitted(metadata);
            case "Finished" ->
                    new Sign.Finished(
                            Json.convert(
                                    Json.mapper().getNodeFactory().stringNode(phase),
                                    WorkflowPhase.class),
                            Instant.parse(at));
            case "Deleted" -> new Sign.Deleted();
            default -> null;
        };
    }

    private static JsonNode metadata(JsonParser in) {
        JsonNode metadata = Json.object();
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String member = in.currentName();
            in.nextToken();
            if (member.equals("metadata")) {
                metadata = in.readValueAsTree();
            } else {
                in.skipChildren();
            }
        }
        return metadata;
    }

    private static Sign submitted(JsonNode metadata) {
        JsonNode labels = metadata.path("labels");
        String cron = labels.path(ScheduledWorkflow.LABEL).asString("");
        if (cron.isEmpty() || labels.has(ScheduledWorkflow.BACKFILL)) {
            return new Sign.Submitted(null, false);
        }
        boolean owned =
                metadata.path("ownerReferences")
                        .valueStream()
                        .anyMatch(
                                o ->
                                        o.path("kind")
                                                        .asString("")
                                                        .equals(Kind.CRON_WORKFLOW.yamlName())
                                                && o.path("name").asString("").equals(cron));
        return new Sign.Submitted(cron, owned);
    }
}
