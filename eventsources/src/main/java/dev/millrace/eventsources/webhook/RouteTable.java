package dev.millrace.eventsources.webhook;

import dev.millrace.eventsources.EntryKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Which entry answers for which endpoint of a port. Of several entries with one endpoint the oldest
 * has it, and the others wait for it to go. An entry that is replaced hands its place to its
 * successor, whatever the ages.
 */
final class RouteTable {

    /**
     * A wish to answer for an endpoint.
     *
     * @param standing hears who has the endpoint, whenever that changes; called under the lock of
     *     the table
     */
    record Claim(
            Seniority seniority,
            EndpointPattern pattern,
            WebhookEndpoint endpoint,
            Consumer<Standing> standing) {

        EntryKey owner() {
            return endpoint.key();
        }
    }

    /** Where a claim stands. */
    sealed interface Standing {}

    /** The endpoint is its own. */
    record Holds() implements Standing {}

    /** An older entry has it. */
    record WaitsFor(EntryKey holder) implements Standing {}

    private record Routes(Map<String, WebhookEndpoint> exact, List<Claim> patterns) {}

    private final Map<String, List<Claim>> claims = new TreeMap<>();
    private volatile Routes routes = new Routes(Map.of(), List.of());

    synchronized void add(Claim claim) {
        List<Claim> same =
                claims.computeIfAbsent(claim.pattern().identity(), p -> new ArrayList<>());
        same.add(claim);
        publish(claim.pattern());
    }

    @SuppressWarnings("ReferenceEquality") // two claims of one entry may be equal
    synchronized void remove(Claim claim) {
        List<Claim> same = claims.get(claim.pattern().identity());
        if (same == null || !same.removeIf(c -> c == claim)) {
            return;
        }
        if (same.isEmpty()) {
            claims.remove(claim.pattern().identity());
        }
        publish(claim.pattern());
    }

    synchronized boolean isEmpty() {
        return claims.isEmpty();
    }

    /**
     * Who answers for a decoded path: an exact endpoint first, else the oldest pattern that fits.
     */
    Optional<WebhookEndpoint> find(String path) {
        Routes now = routes;
        WebhookEndpoint exact = now.exact().get(path);
        if (exact != null) {
            return Optional.of(exact);
        }
        return now.patterns().stream()
                .filter(claim -> claim.pattern().matches(path))
                .findFirst()
                .map(Claim::endpoint);
    }

    private void publish(EndpointPattern changed) {
        Map<String, WebhookEndpoint> exact = new HashMap<>();
        List<Claim> patterns = new ArrayList<>();
        claims.values()
                .forEach(
                        same -> {
                            Claim holder = holder(same);
                            if (holder.pattern().isExact()) {
                                exact.put(holder.pattern().toString(), holder.endpoint());
                            } else {
                                patterns.add(holder);
                            }
                        });
        patterns.sort(Comparator.comparing(Claim::seniority));
        routes = new Routes(exact, patterns);
        tell(claims.getOrDefault(changed.identity(), List.of()));
    }

    private static void tell(List<Claim> same) {
        for (Claim claim : same) {
            EntryKey holder = holder(same).owner();
            claim.standing()
                    .accept(holder.equals(claim.owner()) ? new Holds() : new WaitsFor(holder));
        }
    }

    /** The oldest owner's newest claim. */
    private static Claim holder(List<Claim> same) {
        EntryKey oldest =
                same.stream().min(Comparator.comparing(Claim::seniority)).orElseThrow().owner();
        return same.reversed().stream()
                .filter(claim -> claim.owner().equals(oldest))
                .findFirst()
                .orElseThrow();
    }
}
