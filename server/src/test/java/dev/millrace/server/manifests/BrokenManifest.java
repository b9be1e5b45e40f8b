package dev.millrace.server.manifests;

import dev.millrace.schemas.manifest.JsonSchemas;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.yaml.Document;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Place;
import dev.millrace.schemas.yaml.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A manifest text, and what can be broken in it, one line at a time. */
final class BrokenManifest {

    /**
     * A change of one line.
     *
     * @param line from 1
     * @param written what stands there now instead of {@code meant}
     * @param path of the member that is wrong, or that has what is wrong
     */
    record Breakage(
            Sort sort, int line, String text, String written, String meant, DocumentPath path) {}

    enum Sort {
        MISSPELT_FIELD,
        WRONG_TYPE,
        MISSING_FIELD,
        UNKNOWN_TEMPLATE,
        UNKNOWN_VARIABLE
    }

    private record Member(
            DocumentPath path,
            int line,
            int column,
            String key,
            JsonNode value,
            JsonNode schema,
            Set<String> siblings,
            boolean required,
            boolean alone) {}

    private static final Pattern VARIABLE =
            Pattern.compile("\\{\\{inputs\\.parameters\\.([-\\w]{4,})}}");

    private final List<String> lines;
    private final List<Member> members = new ArrayList<>();

    BrokenManifest(String text) {
        this.lines = text.lines().toList();
        for (Document document : YamlReader.read("broken", text).documents()) {
            Kind.named(document.tree().path("kind").asString(""))
                    .ifPresent(
                            kind -> {
                                JsonNode schema = JsonSchemas.of(kind);
                                collect(
                                        document,
                                        document.tree(),
                                        schema,
                                        schema,
                                        DocumentPath.ROOT);
                            });
        }
    }

    /** A breakage of this sort at a random place, or null if the text has no such place. */
    @Nullable Breakage any(Sort sort, Random random) {
        List<Member> fitting = members.stream().filter(member -> fits(sort, member)).toList();
        if (fitting.isEmpty()) {
            return null;
        }
        Member member = fitting.get(random.nextInt(fitting.size()));
        String line = lines.get(member.line - 1);
        String before = line.substring(0, member.column - 1);
        String rest = line.substring(member.column - 1);
        String misspelt = member.key.length() > 3 ? misspelt(member.key, random) : "";
        return switch (sort) {
            case MISSPELT_FIELD ->
                    member.siblings.contains(misspelt)
                            ? null
                            : new Breakage(
                                    sort,
                                    member.line,
                                    before + misspelt + rest.substring(member.key.length()),
                                    misspelt,
                                    member.key,
                                    member.path.parent().key(misspelt));
            case WRONG_TYPE ->
                    new Breakage(
                            sort,
                            member.line,
                            before + member.key + ": {broken: [1]}",
                            member.key,
                            member.key,
                            member.path);
            case MISSING_FIELD ->
                    new Breakage(sort, member.line, before, member.key, member.key, member.path);
            case UNKNOWN_TEMPLATE -> {
                String name = member.value.asString("");
                String other = misspelt(name, random);
                yield isName(other)
                        ? null
                        : new Breakage(
                                sort,
                                member.line,
                                before + member.key + ": " + other,
                                other,
                                name,
                                member.path);
            }
            case UNKNOWN_VARIABLE -> {
                Matcher variable = VARIABLE.matcher(line);
                boolean found = variable.find();
                String other = found ? misspelt(variable.group(1), random) : "";
                yield found && !isName(other) ? variable(variable, member, line, other) : null;
            }
        };
    }

    private boolean isName(String word) {
        return members.stream().anyMatch(member -> member.value.asString("").equals(word));
    }

    private static Breakage variable(Matcher variable, Member member, String line, String other) {
        return new Breakage(
                Sort.UNKNOWN_VARIABLE,
                member.line,
                line.substring(0, variable.start(1)) + other + line.substring(variable.end(1)),
                "inputs.parameters." + other,
                variable.group(1),
                member.path);
    }

    String with(List<Breakage> breakages) {
        List<String> changed = new ArrayList<>(lines);
        breakages.forEach(breakage -> changed.set(breakage.line - 1, breakage.text));
        return String.join("\n", changed) + "\n";
    }

    private boolean fits(Sort sort, Member member) {
        boolean scalar = isPlain(member);
        boolean top = member.path.segments().size() == 1;
        return switch (sort) {
            // Too short a word could be any; a scalar under metadata could be a label.
            case MISSPELT_FIELD -> member.key.length() > 3 && !member.key.equals("status");
            case WRONG_TYPE ->
                    scalar
                            && !top
                            && Set.of("string", "integer", "boolean", "number")
                                    .contains(member.schema.path("type").asString(""));
            // What lacks its only field is not there itself.
            case MISSING_FIELD -> scalar && member.required && !member.alone && !top;
            case UNKNOWN_TEMPLATE ->
                    scalar
                            && member.value.asString("").length() > 3
                            && (member.key.equals("entrypoint")
                                    || (member.key.equals("template")
                                            && !member.path.toString().contains("templateRef")));
            case UNKNOWN_VARIABLE -> VARIABLE.matcher(lines.get(member.line - 1)).find();
        };
    }

    /** {@code key: value} and nothing else on the line. */
    private boolean isPlain(Member member) {
        String rest = lines.get(member.line - 1).substring(member.column - 1);
        if (!member.value.isValueNode() || rest.contains(" #")) {
            return false;
        }
        String written = rest.substring(member.key.length() + 1).strip();
        String bare = written.replaceAll("^[\"']|[\"']$", "");
        return bare.equals(member.value.asString("")) && !bare.isEmpty();
    }

    private void collect(
            Document document, JsonNode value, JsonNode schema, JsonNode root, DocumentPath path) {
        JsonNode own = resolved(schema, root);
        if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                collect(document, value.get(i), own.path("items"), root, path.index(i));
            }
            return;
        }
        if (!value.isObject()) {
            return;
        }
        JsonNode fields = own.path("properties");
        Set<String> names = Set.copyOf(fields.propertyNames());
        Set<String> required =
                own.path("required")
                        .valueStream()
                        .map(name -> name.asString(""))
                        .collect(Collectors.toSet());
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            DocumentPath at = path.key(entry.getKey());
            if (fields.has(entry.getKey())) {
                JsonNode inner = resolved(fields.path(entry.getKey()), root);
                Place place = document.places().of(at);
                Member member =
                        new Member(
                                at,
                                place.line(),
                                place.column(),
                                entry.getKey(),
                                entry.getValue(),
                                inner,
                                names,
                                required.contains(entry.getKey()),
                                value.size() == 1);
                if (stands(member)) {
                    members.add(member);
                }
                collect(document, entry.getValue(), inner, root, at);
            } else if (own.path("additionalProperties").isObject()) {
                collect(document, entry.getValue(), own.path("additionalProperties"), root, at);
            }
        }
    }

    /** Whether the key stands in the text as it is, and nothing comes before it but its indent. */
    private boolean stands(Member member) {
        String line = lines.get(member.line - 1);
        return line.length() >= member.column
                && line.substring(0, member.column - 1).matches("[- ]*")
                && line.startsWith(member.key + ":", member.column - 1);
    }

    private static JsonNode resolved(JsonNode schema, JsonNode root) {
        String reference = schema.path("$ref").asString("");
        return reference.isEmpty() ? schema : root.at(reference.substring(1));
    }

    /** One typing error. */
    private static String misspelt(String word, Random random) {
        int at = random.nextInt(word.length() - 1);
        char letter = (char) ('a' + random.nextInt(26));
        return switch (random.nextInt(3)) {
            case 0 -> word.substring(0, at + 1) + letter + word.substring(at + 1);
            case 1 -> word.substring(0, at + 1) + word.substring(Math.min(word.length(), at + 2));
            default ->
                    word.charAt(at) == word.charAt(at + 1)
                            ? word + letter
                            : word.substring(0, at)
                                    + word.charAt(at + 1)
                                    + word.charAt(at)
                                    + word.substring(at + 2);
        };
    }
}
