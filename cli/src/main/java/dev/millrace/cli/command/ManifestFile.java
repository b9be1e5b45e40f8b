package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.ManifestReader.UnknownFields;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.manifest.ReadResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file of manifests, read and checked for structure.
 *
 * @param name as the person wrote it
 */
record ManifestFile(String name, String text, ReadResult content) {

    /**
     * Reads a file, or standard input for {@code -}.
     *
     * @throws CommandException if it cannot be read as text
     */
    static ManifestFile read(String name, Surroundings surroundings) {
        return read(name, UnknownFields.REFUSED, surroundings);
    }

    /** {@link #read(String, Surroundings)} that says what becomes of unknown fields. */
    static ManifestFile read(String name, UnknownFields unknownFields, Surroundings surroundings) {
        String text = text(name, surroundings);
        return new ManifestFile(
                name,
                text,
                ManifestReader.read(name.equals("-") ? "stdin" : name, text, unknownFields));
    }

    /**
     * Reads all files before it says what is wrong with any.
     *
     * @throws CommandException if one cannot be read, or its structure is wrong
     */
    static List<ManifestFile> readAll(
            List<String> names, UnknownFields unknownFields, Surroundings surroundings) {
        List<ManifestFile> files = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        for (String name : names) {
            try {
                ManifestFile file = read(name, unknownFields, surroundings);
                file.documents();
                files.add(file);
            } catch (CommandException e) {
                wrong.add(e.text());
            }
        }
        if (!wrong.isEmpty()) {
            throw CommandException.wrongManifests(wrong);
        }
        return files;
    }

    /** Files, and those in folders (also deeper ones) whose names end as manifests' do. */
    static List<String> expand(List<String> names, Surroundings surroundings) {
        return names.stream().flatMap(name -> expand(name, surroundings).stream()).toList();
    }

    /** The documents of a file without errors. */
    List<ManifestDocument> documents() {
        if (content.hasErrors()) {
            throw CommandException.wrongManifests(
                    content.errors().stream().map(Problem::toString).toList());
        }
        return content.documents();
    }

    /** The documents that are workflows, or that are not. */
    List<ManifestDocument> documents(boolean workflows) {
        return documents().stream()
                .filter(document -> (document.manifest().kind() == Kind.WORKFLOW) == workflows)
                .toList();
    }

    /** Says what is not quite right with it. */
    void warn(Surroundings surroundings) {
        content.problems().stream()
                .filter(problem -> !problem.isError())
                .forEach(problem -> surroundings.err().println("warning: " + problem));
    }

    /**
     * The text of a file, or of standard input for {@code -}.
     *
     * @throws CommandException if it cannot be read as text
     */
    static String text(String name, Surroundings surroundings) {
        try {
            return name.equals("-")
                    ? utf8(surroundings.in().readAllBytes())
                    : Files.readString(surroundings.folder().resolve(name));
        } catch (NoSuchFileException e) {
            throw CommandException.wrongManifests(List.of(name + ": there is no such file"));
        } catch (IOException e) {
            throw CommandException.wrongManifests(
                    List.of(name + ": " + unreadable(name, e, surroundings)));
        }
    }

    /** As {@link Files#readString(Path)} decodes: what is no text is not guessed at. */
    private static String utf8(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }

    private static String unreadable(String name, IOException e, Surroundings surroundings) {
        if (Files.isDirectory(surroundings.folder().resolve(name))) {
            return "is a folder; name a file in it";
        }
        return e instanceof CharacterCodingException
                ? "is not text in UTF-8; save it in that encoding"
                : "cannot be read: " + e.getMessage();
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
