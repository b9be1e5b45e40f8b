package dev.millrace.schemas.yaml;

import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Writes a JSON tree as YAML in randomly chosen styles; plain only where that is plainly a text.
 */
final class RandomYaml {

    private static final Pattern SAFE = Pattern.compile("[a-z]{3,}( [a-z]+)*");
    private static final Set<String> WORDS = Set.of("yes", "off", "true", "false", "null");
    private static final Pattern PRINTABLE = Pattern.compile("[ -~]*");
    private static final Pattern BLOCK = Pattern.compile("[!-~][ -~]*(\n[!-~][ -~]*)*\n?");

    private final RandomGenerator random;

    RandomYaml(RandomGenerator random) {
        this.random = random;
    }

    String text(JsonNode tree) {
        StringBuilder out = new StringBuilder();
        if (random.nextInt(4) == 0) {
            out.append("---\n# a comment\n");
        }
        block(tree, "", out);
        return out.toString();
    }

    /** Writes a value whose line starts at {@code indent}. */
    private void block(JsonNode tree, String indent, StringBuilder out) {
        if (tree.isObject() && !tree.isEmpty() && random.nextInt(6) > 0) {
            tree.properties()
                    .forEach(
                            member -> {
                                out.append(indent).append(inline(member.getKey())).append(':');
                                after(member.getValue(), indent, out);
                            });
        } else if (tree.isArray() && !tree.isEmpty() && random.nextInt(6) > 0) {
            for (JsonNode item : tree) {
                out.append(indent).append('-');
                after(item, indent, out);
            }
        } else {
            out.append(indent).append(flow(tree)).append('\n');
        }
    }

    /** Writes what follows a colon or a dash. */
    private void after(JsonNode value, String indent, StringBuilder out) {
        String deeper = indent + " ".repeat(1 + random.nextInt(3));
        if (value.isContainer() && !value.isEmpty()) {
            out.append(random.nextInt(8) == 0 ? " # comment\n" : "\n");
            block(value, deeper, out);
        } else if (value.isString()
                && BLOCK.matcher(value.stringValue()).matches()
                && random.nextBoolean()) {
            String text = value.stringValue();
            out.append(text.endsWith("\n") ? " |\n" : " |-\n");
            text.lines().forEach(line -> out.append(deeper).append(line).append('\n'));
        } else {
            out.append(' ').append(flow(value)).append('\n');
        }
    }

    private String flow(JsonNode tree) {
        StringBuilder out = new StringBuilder();
        if (tree.isObject()) {
            out.append('{');
            tree.properties()
                    .forEach(
                            member -> {
                                out.append(out.length() > 1 ? ", " : "");
                                out.append(inline(member.getKey()))
                                        .append(": ")
                                        .append(flow(member.getValue()));
                            });
            return out.append('}').toString();
        }
        if (tree.isArray()) {
            out.append('[');
            tree.forEach(item -> out.append(out.length() > 1 ? ", " : "").append(flow(item)));
            return out.append(']').toString();
        }
        if (tree.isString()) {
            return inline(tree.stringValue());
        }
        if (tree.isNull()) {
            return random.nextBoolean() ? "~" : "null";
        }
        if (tree.isBoolean() && random.nextBoolean()) {
            return tree.booleanValue() ? "yes" : "Off";
        }
        if (tree.isInt() && tree.intValue() > 0 && random.nextInt(3) == 0) {
            return random.nextBoolean()
                    ? "0x" + Integer.toHexString(tree.intValue())
                    : "0" + Integer.toOctalString(tree.intValue());
        }
        return tree.toString();
    }

    private String inline(String text) {
        if (SAFE.matcher(text).matches() && !WORDS.contains(text) && random.nextBoolean()) {
            return text;
        }
        if (PRINTABLE.matcher(text).matches() && random.nextBoolean()) {
            return "'" + text.replace("'", "''") + "'";
        }
        return escaped(JsonNodeFactory.instance.stringNode(text).toString());
    }

    /** What JSON leaves bare but YAML does not allow, or folds as a line break. */
    private static String escaped(String json) {
        return json.replace("\u0085", "\\u0085").replace("\u2028", "\\u2028");
    }
}
