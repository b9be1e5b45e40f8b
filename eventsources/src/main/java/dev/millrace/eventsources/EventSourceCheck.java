package dev.millrace.eventsources;

import dev.millrace.eventsources.calendar.CalendarEntry;
import dev.millrace.eventsources.webhook.WebhookEntry;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.eventsource.CalendarSource;
import dev.millrace.schemas.eventsource.EventSourceSpec;
import dev.millrace.schemas.eventsource.EventSourceType;
import dev.millrace.schemas.eventsource.WebhookSource;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.DocumentPath;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What an EventSource says that its structure does not show to be wrong: the same as its status
 * says.
 */
public final class EventSourceCheck {

    private EventSourceCheck() {}

    /**
     * The problems of a manifest of sound structure.
     *
     * @param now from when on schedules must have a time
     */
    public static List<Problem> check(ManifestDocument document, Instant now) {
        List<Problem> problems = new ArrayList<>();
        Set<String> names = new HashSet<>();
        List<EventSourceSpec.Entry> entries =
                document.manifest().content(EventSourceSpec.class).entries();
        for (EventSourceSpec.Entry entry : entries) {
            if (!names.add(entry.name())) {
                problems.add(
                        at(
                                document,
                                entry,
                                "another type has an event of this name",
                                "rename one of them"));
                continue;
            }
            try {
                check(entry, now);
            } catch (EntryConfigurationException e) {
                problems.add(at(document, entry, String.valueOf(e.getMessage()), ""));
            }
        }
        if (entries.isEmpty()) {
            DocumentPath spec = DocumentPath.ROOT.key("spec");
            problems.add(
                    Problem.error(
                            document.places().of(spec),
                            spec.toString(),
                            "names no event",
                            "add an entry such as spec.webhook.example"));
        }
        return problems;
    }

    private static Problem at(
            ManifestDocument document, EventSourceSpec.Entry entry, String message, String hint) {
        DocumentPath path =
                DocumentPath.ROOT.key("spec").key(entry.type().toString()).key(entry.name());
        return Problem.error(document.places().of(path), path.toString(), message, hint);
    }

    /**
     * @throws EntryConfigurationException if the entry could not start as it is written
     */
    private static void check(EventSourceSpec.Entry entry, Instant now) {
        if (entry.type() == EventSourceType.WEBHOOK) {
            WebhookEntry.check(Json.convert(entry.config(), WebhookSource.class));
        } else if (entry.type() == EventSourceType.CALENDAR) {
            CalendarEntry.check(Json.convert(entry.config(), CalendarSource.class), now);
        } else {
            throw EntryFactory.unsupported(entry.type());
        }
    }
}
