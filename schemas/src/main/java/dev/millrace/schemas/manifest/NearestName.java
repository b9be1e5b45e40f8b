package dev.millrace.schemas.manifest;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant. */
public final class NearestName {

    private NearestName() {}

    /**
     * The candidate with the fewest typing errors; none if even that one has too many for a word of
     * this length.
     */
    public static Optional<String> to(String written, Collection<String> candidates) {
        String nearest = null;
        int least = tolerated(written.length()) + 1;
        for (String candidate : candidates) {
            int distance =
                    candidate.equalsIgnoreCase(written)
                            ? 0
                            : distance(
                                    written.toLowerCase(Locale.ROOT),
                                    candidate.toLowerCase(Locale.ROOT));
            // Another word altogether is no typing error.
            if (distance < least && distance < written.length()) {
                least = distance;
                nearest = candidate;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /** Typing errors in a word of this length that leave it recognisable. */
    private static int tolerated(int length) {
        return length < 4 ? 1 : Math.max(2, length / 3);
    }

    /** Insertions, deletions, replacements and swaps of neighbours. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                cost[i][j] = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
                boolean swapped =
                        i > 1
                                && j > 1
                                && a.charAt(i - 1) == b.charAt(j - 2)
                                && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
