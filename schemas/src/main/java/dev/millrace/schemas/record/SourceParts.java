package dev.millrace.schemas.record;

import dev.millrace.schemas.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The source of a large workflow in parts, none of which makes a record larger than 256 KiB: its
 * JSON, deflated, in base64. Templates that stand in it several times are written once.
 */
public final class SourceParts {
    /** A record whose value is larger is not written as one. */
    public static final int LARGEST_VALUE = 192 * 1024;

    private static final int BYTES_OF_PART = LARGEST_VALUE / 4 * 3 - 1024;
    private static final String TEMPLATES = "templates";

    /** The source with what it has in common left out. */
    private record Packed(WorkflowSource source, boolean specAsWritten, boolean submittedAsSpec) {}

    private SourceParts() {}

    /** The parts of a source, in order. */
    public static List<String> split(WorkflowSource source) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream deflated = new DeflaterOutputStream(bytes)) {
            Json.mapper().writeValue(deflated, pack(source));
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written to", e);
        }
        byte[] all = bytes.toByteArray();
        List<String> parts = new ArrayList<>();
        for (int from = 0; from < all.length; from += BYTES_OF_PART) {
            int to = Math.min(all.length, from + BYTES_OF_PART);
            parts.add(Base64.getEncoder().encodeToString(Arrays.copyOfRange(all, from, to)));
        }
        return parts;
    }

    /**
     * The source that was split.
     *
     * @throws IllegalArgumentException if these are not the parts of a source
     */
    public static WorkflowSource join(List<String> parts) {
        List<InputStream> streams = new ArrayList<>();
        parts.forEach(p -> streams.add(new ByteArrayInputStream(Base64.getDecoder().decode(p))));
        try (InputStream inflated =
                new InflaterInputStream(
                        new SequenceInputStream(Collections.enumeration(streams)))) {
            return unpack(Json.mapper().readValue(inflated, Packed.class));
        } catch (IOException e) {
            throw new IllegalArgumentException("parts of the source are missing or damaged", e);
        }
    }

    private static Packed pack(WorkflowSource source) {
        JsonNode written = source.manifest().path("spec").get(TEMPLATES);
        JsonNode run = source.spec().get(TEMPLATES);
        boolean specAsWritten = run != null && same(run, written);
        JsonNode submitted = source.submitted();
        boolean submittedAsSpec =
                submitted != null && run != null && same(submitted.get(TEMPLATES), run);
        return new Packed(
                source.with(
                        source.manifest(),
                        specAsWritten ? withTemplates(source.spec(), null) : source.spec(),
                        submittedAsSpec && submitted != null
                                ? withTemplates(submitted, null)
                                : submitted),
                specAsWritten,
                submittedAsSpec);
    }

    private static WorkflowSource unpack(Packed packed) {
        WorkflowSource source = packed.source();
        JsonNode spec = source.spec();
        if (packed.specAsWritten()) {
            spec = withTemplates(spec, source.manifest().path("spec").get(TEMPLATES));
        }
        JsonNode submitted = source.submitted();
        if (packed.submittedAsSpec() && submitted != null) {
            submitted = withTemplates(submitted, spec.get(TEMPLATES));
        }
        return source.with(source.manifest(), spec, submitted);
    }

    private static boolean same(@Nullable JsonNode one, @Nullable JsonNode other) {
        return one == other || (one != null && one.equals(other));
    }

    /** A spec with these templates, or without any; the trees below are shared. */
    static JsonNode withTemplates(JsonNode spec, @Nullable JsonNode templates) {
        ObjectNode copy = ((ObjectNode) spec).objectNode();
        copy.setAll((ObjectNode) spec);
        if (templates == null) {
            copy.remove(TEMPLATES);
        } else {
            copy.set(TEMPLATES, templates);
        }
        return copy;
    }
}
