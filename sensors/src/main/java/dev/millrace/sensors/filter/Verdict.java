package dev.millrace.sensors.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a filter says about an event. */
public sealed interface Verdict {

    /** The event counts. */
    record Passed() implements Verdict {}

    /**
     * The event does not count.
     *
     * @param reason which filter said so
     */
    record Rejected(String reason) implements Verdict {}

    /**
     * The filter could not be applied, a path is missing for instance; the event does not count.
     *
     * @param message why
     */
    record Failed(String message) implements Verdict {}

    /** All must pass; what fails or rejects first is the verdict. */
    static Verdict all(List<Supplier<Verdict>> filters) {
        for (Supplier<Verdict> filter : filters) {
            Verdict verdict = filter.get();
            if (!(verdict instanceof Passed)) {
                return verdict;
            }
        }
        return new Passed();
    }

    /** One must pass; failures count only when none does. */
    static Verdict any(List<Supplier<Verdict>> filters) {
        List<String> failures = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (Supplier<Verdict> filter : filters) {
            switch (filter.get()) {
                case Passed passed -> {
                    return passed;
                }
                case Rejected(String reason) -> reasons.add(reason);
                case Failed(String message) -> failures.add(message);
            }
        }
        return failures.isEmpty()
                ? new Rejected(String.join("; ", reasons))
                : new Failed(String.join("; ", failures));
    }

    /** By {@code and} (also when absent or empty) or {@code or}. */
    static Verdict combined(@Nullable String operator, List<Supplier<Verdict>> filters) {
        return "or".equals(operator) ? any(filters) : all(filters);
    }
}
