package dev.millrace.server.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.NearestName;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.manifest.ReadResult;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.server.manifests.BrokenManifest.Breakage;
import dev.millrace.server.manifests.BrokenManifest.Sort;
import dev.millrace.testkit.Conformance;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Manifests of the field that are right are broken at random places; lint must find each breakage,
 * at its line, with the name that was meant, and both of two. {@code -Dsoak} breaks many more;
 * {@code -Dseed=…} repeats a run.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class LintBreakagesTest {

    private static final int MOST_SHOWN = 20;
    private static final Instant NOW = Instant.parse("2026-01-05T12:00:00Z");

    private final int cases = Boolean.getBoolean("soak") ? 20_000 : 1_500;
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);

    private record Sound(String name, String text, BrokenManifest breakable) {}

    @Test
    void eachOfTwoBreakagesIsToldAtItsLineWithWhatWasMeant() throws IOException {
        List<Sound> manifests = soundManifests();
        assertThat(manifests).hasSizeGreaterThan(150);
        Map<Sort, Integer> tried = new EnumMap<>(Sort.class);
        List<String> missed = new ArrayList<>();
        for (int i = 0; i < cases; i++) {
            Sound sound = manifests.get(random.nextInt(manifests.size()));
            List<Breakage> breakages = breakages(sound);
            String text = sound.breakable.with(breakages);
            List<Problem> problems = lint(sound.name, text, lookup(text));
            for (Breakage breakage : breakages) {
                tried.merge(breakage.sort(), 1, Integer::sum);
                if (problems.stream().noneMatch(problem -> tells(problem, breakage))) {
                    missed.add(
                            "seed %d, case %d, %s: %s%nwith %s%nlint said:%n%s"
                                    .formatted(
                                            seed,
                                            i,
                                            sound.name,
                                            breakage,
                                            breakages,
                                            problems.stream()
                                                    .map(Problem::toString)
                                                    .collect(Collectors.joining("\n"))));
                }
            }
        }
        System.out.printf("lint: seed %d, breakages found: %s%n", seed, tried);
        assertThat(missed.stream().limit(MOST_SHOWN)).isEmpty();
        assertThat(tried).containsOnlyKeys(Sort.values());
    }

    /** One or two, on different lines; neither takes away what the other is known by. */
    private List<Breakage> breakages(Sound sound) {
        List<Breakage> chosen = new ArrayList<>();
        int wanted = 1 + random.nextInt(2);
        for (int attempt = 0; attempt < 20 && chosen.size() < wanted; attempt++) {
            Sort sort = Sort.values()[random.nextInt(Sort.values().length)];
            Breakage breakage = sound.breakable.any(sort, random);
            if (breakage != null
                    && chosen.stream().noneMatch(other -> hides(sound, other, breakage))
                    && chosen.stream().noneMatch(other -> hides(sound, breakage, other))) {
                chosen.add(breakage);
            }
        }
        return chosen;
    }

    private static boolean hides(Sound sound, Breakage one, Breakage other) {
        boolean named =
                one.meant().equals("name")
                        && List.of(Sort.UNKNOWN_TEMPLATE, Sort.UNKNOWN_VARIABLE)
                                .contains(other.sort());
        // Unknown fields of event objects are left out, whatever stands in them.
        boolean leftOut =
                sound.name.startsWith("events")
                        && one.sort() == Sort.MISSPELT_FIELD
                        && isWithin(other.path(), one.path().parent().key(one.meant()));
        boolean emptied =
                one.sort() == Sort.MISSING_FIELD
                        && other.sort() == Sort.MISSING_FIELD
                        && one.path().parent().equals(other.path().parent());
        return one.line() == other.line() || named || leftOut || emptied;
    }

    private static boolean isWithin(DocumentPath path, DocumentPath around) {
        int depth = around.segments().size();
        return path.segments().size() >= depth
                && path.segments().subList(0, depth).equals(around.segments());
    }

    private static boolean tells(Problem problem, Breakage breakage) {
        boolean atLine = problem.place().line() == breakage.line();
        return switch (breakage.sort()) {
            case MISSPELT_FIELD ->
                    atLine
                            && problem.message().contains(breakage.written())
                            && isSuggested(problem.hint(), breakage);
            case WRONG_TYPE -> atLine && problem.path().endsWith(breakage.meant());
            // It has no place of its own; what it is missing from begins after comments at most.
            case MISSING_FIELD ->
                    problem.place().line() <= breakage.line() + 3
                            && problem.path().endsWith(breakage.meant())
                            && problem.message().contains("missing");
            case UNKNOWN_TEMPLATE, UNKNOWN_VARIABLE ->
                    atLine
                            && problem.message().contains(breakage.written())
                            && isSuggested(problem.hint(), breakage);
        };
    }

    /** What was meant, another name as near to what is written, or where that name has a place. */
    private static boolean isSuggested(String hint, Breakage breakage) {
        if (hint.contains(breakage.meant()) || hint.startsWith("it belongs into ")) {
            return true;
        }
        return hint.startsWith("did you mean ")
                && NearestName.to(
                                breakage.written().replaceFirst(".*\\.", ""),
                                List.of(
                                        hint.replaceFirst("did you mean (.*)\\?", "$1")
                                                .replaceFirst(".*\\.", ""),
                                        breakage.meant()))
                        .filter(nearest -> hint.contains(nearest))
                        .isPresent();
    }

    private static List<Problem> lint(String name, String text, TemplateLookup templates) {
        ReadResult read = ManifestReader.read(name, text);
        List<Problem> problems = new ArrayList<>(read.problems());
        for (ManifestDocument document : read.documents()) {
            problems.addAll(Meaning.lint(document.in("default"), templates, () -> null, NOW));
        }
        return problems;
    }

    private static List<Sound> soundManifests() throws IOException {
        Path root = Conformance.assumePresent();
        List<Sound> sound = new ArrayList<>();
        for (String area : List.of("workflows", "events")) {
            try (Stream<Path> files = Files.walk(root.resolve(area).resolve("manifests"))) {
                for (Path file :
                        files.filter(f -> f.toString().matches(".*\\.ya?ml")).sorted().toList()) {
                    String text = Files.readString(file);
                    boolean anchored = text.matches("(?s).*[:-] [&*]\\w+.*");
                    boolean clean =
                            lint(file.toString(), text, lookup(text)).stream()
                                    .noneMatch(Problem::isError);
                    if (clean && !anchored && !text.contains("\t")) {
                        sound.add(
                                new Sound(
                                        root.relativize(file).toString(),
                                        text,
                                        new BrokenManifest(text)));
                    }
                }
            }
        }
        return sound;
    }

    /** The templates of the same text, as lint looks them up. */
    private static TemplateLookup lookup(String text) {
        List<ManifestDocument> documents = ManifestReader.read("lookup", text).documents();
        return new TemplateLookup() {
            @Override
            public @Nullable JsonNode workflowTemplate(String namespace, String name) {
                return find(Kind.WORKFLOW_TEMPLATE, name);
            }

            @Override
            public @Nullable JsonNode clusterWorkflowTemplate(String name) {
                return find(Kind.CLUSTER_WORKFLOW_TEMPLATE, name);
            }

            private @Nullable JsonNode find(Kind kind, String name) {
                return documents.stream()
                        .filter(d -> d.manifest().kind() == kind)
                        .filter(d -> name.equals(d.manifest().name()))
                        .map(d -> d.manifest().tree())
                        .findFirst()
                        .orElse(null);
            }
        };
    }
}
