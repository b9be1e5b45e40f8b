package dev.millrace.eventsources;

import dev.millrace.log.plain.ManifestLog;
import dev.millrace.schemas.eventsource.EventSourceSpec;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.manifest.ReadResult;
import dev.millrace.schemas.record.StatusRecord.Condition;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a stored manifest says, and what is to be said about it.
 *
 * @param entries those that can be started; none if the manifest cannot be used
 * @param created when the object was made, {@link Instant#MAX} if it does not say
 */
record SourceReading(
        List<EventSourceSpec.Entry> entries, List<Condition> conditions, Instant created) {

    static SourceReading of(ManifestLog.Stored stored) {
        ReadResult read = ManifestReader.check(stored.key().toString(), stored.manifest());
        if (read.hasErrors() || read.manifests().isEmpty()) {
            return new SourceReading(List.of(), List.of(invalid(text(read.errors()))), Instant.MAX);
        }
        Manifest manifest = read.manifests().getFirst();
        List<EventSourceSpec.Entry> usable = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (EventSourceSpec.Entry entry : manifest.content(EventSourceSpec.class).entries()) {
            if (names.add(entry.name())) {
                usable.add(entry);
            } else {
                faults.add(
                        "spec.%s.%s: another type has an event of this name; rename one of them"
                                .formatted(entry.type(), entry.name()));
            }
        }
        if (usable.isEmpty()) {
            faults.add("spec names no event; add an entry such as spec.webhook.example");
        }
        List<Condition> conditions = new ArrayList<>();
        conditions.add(
                faults.isEmpty()
                        ? new Condition("SourcesProvided", "True", null, null)
                        : invalid(String.join("\n", faults)));
        if (!usable.isEmpty()) {
            conditions.add(new Condition("Deployed", "True", "Succeeded", null));
        }
        List<Problem> warnings = read.problems().stream().filter(p -> !p.isError()).toList();
        if (!warnings.isEmpty()) {
            conditions.add(
                    new Condition("ManifestWarnings", "True", "UnknownFields", text(warnings)));
        }
        return new SourceReading(
                List.copyOf(usable),
                List.copyOf(conditions),
                created(manifest.metadata().creationTimestamp()));
    }

    private static Condition invalid(String message) {
        return new Condition("SourcesProvided", "False", "InvalidEventSource", message);
    }

    private static String text(List<Problem> problems) {
        return problems.stream()
                .map(
                        p ->
                                (p.path().isEmpty() ? "" : p.path() + ": ")
                                        + p.message()
                                        + (p.hint().isEmpty() ? "" : " (" + p.hint() + ")"))
                .collect(Collectors.joining("\n"));
    }

    private static Instant created(@Nullable String timestamp) {
        try {
            return timestamp == null ? Instant.MAX : Instant.parse(timestamp);
        } catch (DateTimeParseException e) {
            return Instant.MAX;
        }
    }
}
