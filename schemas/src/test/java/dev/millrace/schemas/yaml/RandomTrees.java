package dev.millrace.schemas.yaml;

import java.math.BigInteger;
import java.util.List;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Random JSON trees with the texts and numbers that trip YAML readers up. */
final class RandomTrees {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int DEEPEST = 5;
    private static final List<String> TRICKY =
            List.of(
                    "",
                    "yes",
                    "no",
                    "on",
                    "off",
                    "y",
                    "null",
                    "~",
                    "0755",
                    "0x1F",
                    "1e6",
                    "1.0",
                    "1_000",
                    ".inf",
                    "<<",
                    "- a",
                    "a: b",
                    "a #b",
                    "#a",
                    " a",
                    "a ",
                    "a\n",
                    "\na",
                    "a\n\nb",
                    "a\n b\n",
                    "'",
                    "\"",
                    "\\",
                    "{{=a}}",
                    "{a}",
                    "[a]",
                    "&a",
                    "*a",
                    "!a",
                    "|",
                    ">",
                    "%a",
                    "@a",
                    "`a",
                    "?",
                    "-",
                    ":",
                    "a:",
                    "---",
                    "...",
                    "\t",
                    "a\tb",
                    "é",
                    "😀",
                    "\u0000",
                    "\u0085",
                    "\u2028",
                    "2020-01-01",
                    "1:30",
                    "=",
                    "a\r\nb",
                    "true\n",
                    ",a");

    private RandomTrees() {}

    static ObjectNode object(RandomGenerator random) {
        return object(random, 0);
    }

    private static JsonNode tree(RandomGenerator random, int depth) {
        int choice = random.nextInt(depth >= DEEPEST ? 7 : 11);
        return switch (choice) {
            case 0, 1, 2 -> NODES.stringNode(text(random));
            case 3 -> NODES.numberNode(random.nextInt());
            case 4 -> number(random);
            case 5 -> NODES.booleanNode(random.nextBoolean());
            case 6 -> NODES.nullNode();
            case 7, 8 -> list(random, depth);
            default -> object(random, depth);
        };
    }

    /**
     * Only numbers whose node is the same after a trip through text: no whole doubles, no small
     * longs.
     */
    private static JsonNode number(RandomGenerator random) {
        return switch (random.nextInt(3)) {
            case 0 -> NODES.numberNode((1L << 40) + random.nextInt());
            case 1 ->
                    NODES.numberNode(
                            BigInteger.ONE
                                    .shiftLeft(63)
                                    .add(BigInteger.valueOf(random.nextInt(1000))));
            default -> NODES.numberNode((random.nextInt(1_000_000) + 0.5) / 1024);
        };
    }

    private static ArrayNode list(RandomGenerator random, int depth) {
        ArrayNode list = NODES.arrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(tree(random, depth + 1));
        }
        return list;
    }

    private static ObjectNode object(RandomGenerator random, int depth) {
        ObjectNode object = NODES.objectNode();
        for (int i = random.nextInt(5) + (depth == 0 ? 1 : 0); i > 0; i--) {
            object.set(text(random), tree(random, depth + 1));
        }
        return object;
    }

    private static String text(RandomGenerator random) {
        if (random.nextInt(3) == 0) {
            return TRICKY.get(random.nextInt(TRICKY.size()));
        }
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append((char) ('a' + random.nextInt(26)));
            if (random.nextInt(6) == 0) {
                text.append(" -:#\n'\"".charAt(random.nextInt(7)));
            }
        }
        return text.toString();
    }
}
