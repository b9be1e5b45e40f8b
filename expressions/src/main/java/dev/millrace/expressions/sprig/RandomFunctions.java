package dev.millrace.expressions.sprig;

import dev.millrace.expressions.expr.value.GoPanic;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** What chance decides. Evaluating such a program twice gives two results. */
final class RandomFunctions {

    private static final int MAX_LENGTH = 1_000_000;
    private static final String DIGITS = "0123456789";
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

    private RandomFunctions() {}

    static void addTo(Map<String, SprigFunction> table, RandomGenerator random) {
        StringBuilder printable = new StringBuilder();
        for (char c = ' '; c <= '~'; c++) {
            printable.append(c);
        }
        String ascii = printable.toString();
        table.put("randAlphaNum", a -> text(a.integer(0), LETTERS + DIGITS, random));
        table.put("randAlpha", a -> text(a.integer(0), LETTERS, random));
        table.put("randNumeric", a -> text(a.integer(0), DIGITS, random));
        table.put("randAscii", a -> text(a.integer(0), ascii, random));
        table.put(
                "randInt",
                a -> {
                    if (a.integer(1) <= a.integer(0)) {
                        throw new GoPanic("invalid argument to Intn");
                    }
                    return (long) random.nextInt(a.integer(0), a.integer(1));
                });
        table.put(
                "randBytes",
                a -> {
                    byte[] bytes = new byte[checked(a.integer(0))];
                    random.nextBytes(bytes);
                    return Base64.getEncoder().encodeToString(bytes);
                });
        table.put("uuidv4", a -> uuid(random).toString());
        table.put(
                "shuffle",
                a -> {
                    List<Integer> points = new ArrayList<>(a.text(0).codePoints().boxed().toList());
                    Collections.shuffle(points, random);
                    StringBuilder out = new StringBuilder();
                    points.forEach(out::appendCodePoint);
                    return out.toString();
                });
    }

    private static int checked(int length) {
        if (length > MAX_LENGTH) {
            throw new GoPanic("memory budget exceeded");
        }
        return Math.max(0, length);
    }

    private static String text(int length, String alphabet, RandomGenerator random) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < checked(length); i++) {
            out.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return out.toString();
    }

    private static UUID uuid(RandomGenerator random) {
        long high = random.nextLong() & ~0xf000L | 0x4000L;
        long low = random.nextLong() & 0x3fff_ffff_ffff_ffffL | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
