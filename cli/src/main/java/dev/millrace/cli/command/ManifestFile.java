package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.manifest.ReadResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A file of manifests, read and checked for structure.
 *
 * @param name as the person wrote it
 */
record ManifestFile(String name, String text, ReadResult content) {

    /** Reads a file, or standard input for {@code -}. */
    static ManifestFile read(String name, Surroundings surroundings) {
        String text = text(name, surroundings);
        return new ManifestFile(
                name, text, ManifestReader.read(name.equals("-") ? "stdin" : name, text));
    }

    /** Files, and those in folders (also deeper ones) whose names end as manifests' do. */
    static List<String> expand(List<String> names, Surroundings surroundings) {
        return names.stream().flatMap(name -> expand(name, surroundings).stream()).toList();
    }

    /** The documents of a file without errors. */
    List<ManifestDocument> documents() {
        if (content.hasErrors()) {
            throw CommandException.refused(
                    content.errors().stream()
                            .map(Problem::toString)
                            .collect(Collectors.joining("\n")));
        }
        if (content.documents().isEmpty()) {
            throw CommandException.refused(name + ": there is no manifest in it");
        }
        return content.documents();
    }

    /** The documents that are workflows, or that are not. */
    List<ManifestDocument> documents(boolean workflows) {
        return documents().stream()
                .filter(document -> (document.manifest().kind() == Kind.WORKFLOW) == workflows)
                .toList();
    }

    private static String text(String name, Surroundings surroundings) {
        try {
            return name.equals("-")
                    ? new String(surroundings.in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(surroundings.folder().resolve(name));
        } catch (NoSuchFileException e) {
            throw CommandException.refused(name + ": there is no such file");
        } catch (IOException e) {
            throw CommandException.refused(
                    Files.isDirectory(surroundings.folder().resolve(name))
                            ? name + " is a folder; name a file in it"
                            : name + " cannot be read as text in UTF-8: " + e.getMessage());
        }
    }

    private static List<String> expand(String name, Surroundings surroundings) {
        Path path = surroundings.folder().resolve(name);
        if (name.equals("-") || !Files.isDirectory(path)) {
            return List.of(name);
        }
        try (Stream<Path> files = Files.walk(path)) {
            List<String> found =
                    files.filter(Files::isRegularFile)
                            .filter(file -> isManifest(path.relativize(file)))
                            .map(file -> Path.of(name).resolve(path.relativize(file)).toString())
                            .sorted()
                            .toList();
            if (found.isEmpty()) {
                throw CommandException.refused(
                        name + ": there is no file in it that ends with .yaml, .yml or .json");
            }
            return found;
        } catch (IOException e) {
            throw CommandException.refused(name + " cannot be listed: " + e.getMessage());
        }
    }

    private static boolean isManifest(Path file) {
        String text = file.toString();
        boolean hidden =
                Stream.of(text.split("[/\\\\]", -1)).anyMatch(part -> part.startsWith("."));
        return !hidden
                && (text.endsWith(".yaml") || text.endsWith(".yml") || text.endsWith(".json"));
    }
}
