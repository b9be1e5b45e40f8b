package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Templates;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "lint",
        description = {
            "Checks manifests without starting or changing anything; exits with 1 if there are errors.",
            "Templates are looked up in the files given, then at the server; with --offline none is needed."
        })
final class LintCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files or folders; - is standard input.")
    List<String> paths = new ArrayList<>();

    @Option(
            names = "--offline",
            description = "Ask no server: templates are looked up in the files given only.")
    boolean offline;

    @Mixin final Strictness strictness = new Strictness();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description =
                    "simple (default): a line each, with its place; pretty: below the name of the file; json: a list, with file, line, column, path, message and hint of each.")
    String output = "simple";

    @Option(
            names = "--kinds",
            paramLabel = "KIND,…",
            split = ",",
            description =
                    "Manifests of these kinds only, such as workflows,cronworkflows; all without it.")
    List<String> kinds = new ArrayList<>();

    @Mixin final ServerOptions server = new ServerOptions();

    LintCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        LintReport report = LintReport.of(output, surroundings);
        Set<Kind> wanted = wanted();
        List<ManifestFile> files = new ArrayList<>();
        for (String name : ManifestFile.expand(paths, surroundings)) {
            try {
                files.add(ManifestFile.read(name, strictness.unknownFields(), surroundings));
            } catch (CommandException e) {
                report.unreadable(name, e.text());
            }
        }
        String namespace = server.namespace(surroundings);
        if (offline) {
            LintedFiles linted = new LintedFiles(files, namespace, null);
            files.forEach(file -> check(file, wanted, linted, report));
        } else {
            try (ApiClient api = server.connect(surroundings)) {
                LintedFiles linted = new LintedFiles(files, namespace, new Templates(api));
                files.forEach(file -> check(file, wanted, linted, report));
            }
        }
        return report.end() ? ExitCode.OK : ExitCode.FAILED;
    }

    private static void check(
            ManifestFile file, Set<Kind> wanted, LintedFiles linted, LintReport report) {
        List<ManifestDocument> documents =
                file.content().documents().stream()
                        .filter(document -> wanted.contains(document.manifest().kind()))
                        .toList();
        LinkedHashSet<Problem> problems = new LinkedHashSet<>(file.content().problems());
        file.content().documents().stream()
                .filter(document -> !documents.contains(document))
                .forEach(other -> problems.removeAll(other.problems()));
        for (ManifestDocument document : documents) {
            problems.addAll(linted.meaning(document));
        }
        report.file(
                file.name(),
                documents.size(),
                problems.stream()
                        .sorted(
                                Comparator.comparingInt((Problem p) -> p.place().line())
                                        .thenComparingInt(p -> p.place().column()))
                        .toList());
    }

    /** The kinds of {@code --kinds}, in the forms that argo takes. */
    private Set<Kind> wanted() {
        EnumSet<Kind> wanted = EnumSet.noneOf(Kind.class);
        for (String name : kinds) {
            if (name.equals("all")) {
                return EnumSet.allOf(Kind.class);
            }
            wanted.add(
                    Arrays.stream(Kind.values())
                            .filter(kind -> isNamed(kind, name))
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            CommandException.usage(
                                                    "--kinds %s: all or some of %s are expected"
                                                            .formatted(
                                                                    name,
                                                                    Arrays.stream(Kind.values())
                                                                            .map(
                                                                                    LintCommand
                                                                                            ::plural)
                                                                            .collect(
                                                                                    Collectors
                                                                                            .joining(
                                                                                                    ", "))))));
        }
        return wanted.isEmpty() ? EnumSet.allOf(Kind.class) : wanted;
    }

    private static boolean isNamed(Kind kind, String name) {
        return plural(kind).equalsIgnoreCase(name) || kind.yamlName().equalsIgnoreCase(name);
    }

    private static String plural(Kind kind) {
        String name = kind.yamlName().toLowerCase(Locale.ROOT);
        return name + (name.endsWith("s") ? "es" : "s");
    }
}
