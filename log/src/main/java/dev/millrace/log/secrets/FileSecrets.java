package dev.millrace.log.secrets;

import dev.millrace.log.TrailingNewline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Secrets as files below the data folder, one per key, readable by the owner alone: {@code
 * <namespace>/<name>/<key>}. Every value that is read or written is registered with the redactor.
 */
public final class FileSecrets implements SecretStore {

    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9._-]{1,253}");
    private static final Set<PosixFilePermission> DIR =
            PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_DIR =
            PosixFilePermissions.asFileAttribute(DIR);
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path folder;
    private final Redactor redactor;

    /**
     * Opens the store, making its folder, and registers all values that are there: they must not
     * get into a log before somebody asks for them.
     *
     * @throws UncheckedIOException if the folder cannot be made private
     */
    public FileSecrets(Path folder, Redactor redactor) {
        this.folder = folder;
        this.redactor = redactor;
        try {
            directory(folder);
            registerAll();
        } catch (IOException e) {
            throw new UncheckedIOException("the secret store " + folder + " cannot be used", e);
        }
    }

    @Override
    public Optional<String> value(String namespace, String name, String key) {
        if (!isSafe(namespace) || !isSafe(name) || !isSafe(key)) {
            return Optional.empty();
        }
        try {
            String value = read(folder.resolve(namespace).resolve(name).resolve(key));
            redactor.register(value);
            return Optional.of(TrailingNewline.trim(value));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "secret %s/%s is not readable".formatted(namespace, name), e);
        }
    }

    @Override
    public synchronized void put(String namespace, String name, Map<String, String> data) {
        requireSafe("namespace", namespace);
        requireSafe("name", name);
        data.keySet().forEach(key -> requireSafe("key", key));
        // Before anything can fail with the value in its message.
        data.values().forEach(redactor::register);
        try {
            directory(folder.resolve(namespace));
            Path secret = folder.resolve(namespace).resolve(name);
            directory(secret);
            for (Map.Entry<String, String> entry : data.entrySet()) {
                write(secret, entry.getKey(), entry.getValue());
            }
            try (Stream<Path> files = Files.list(secret)) {
                for (Path file : files.toList()) {
                    if (!data.containsKey(file.getFileName().toString())) {
                        Files.delete(file);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "secret %s/%s cannot be written".formatted(namespace, name), e);
        }
    }

    @Override
    public synchronized void delete(String namespace, String name) {
        if (!isSafe(namespace) || !isSafe(name)) {
            return;
        }
        Path secret = folder.resolve(namespace).resolve(name);
        try (Stream<Path> files = Files.list(secret)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(secret);
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "secret %s/%s cannot be deleted".formatted(namespace, name), e);
        }
    }

    @Override
    public Set<String> names(String namespace) {
        if (!isSafe(namespace)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(folder.resolve(namespace))) {
            return new TreeSet<>(files.map(file -> file.getFileName().toString()).toList());
        } catch (NoSuchFileException e) {
            return Set.of();
        } catch (IOException e) {
            throw new UncheckedIOException("secrets of " + namespace + " are not readable", e);
        }
    }

    @Override
    public Optional<Set<String>> keys(String namespace, String name) {
        if (!isSafe(namespace) || !isSafe(name)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(folder.resolve(namespace).resolve(name))) {
            Set<String> keys = new TreeSet<>();
            files.map(file -> file.getFileName().toString())
                    .filter(FileSecrets::isSafe)
                    .forEach(keys::add);
            return Optional.of(keys);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "secret %s/%s is not readable".formatted(namespace, name), e);
        }
    }

    private void registerAll() throws IOException {
        List<Path> values = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(Files::isRegularFile).forEach(values::add);
        }
        for (Path value : values) {
            redactor.register(read(value));
        }
    }

    private static String read(Path file) throws IOException {
        // Bytes that are no text become replacement characters; only text secrets are usable here.
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** Atomic: a reader sees the old value or the new one. The temporary name is no safe key. */
    private static void write(Path secret, String key, String value) throws IOException {
        Path temporary = secret.resolve("~" + key);
        Files.deleteIfExists(temporary);
        try (FileChannel file =
                FileChannel.open(
                        temporary,
                        EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        OWNER_FILE)) {
            ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
        }
        Files.move(temporary, secret.resolve(key), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void directory(Path path) throws IOException {
        if (path.getParent() != null && !Files.isDirectory(path.getParent())) {
            Files.createDirectories(path.getParent());
        }
        try {
            Files.createDirectory(path, OWNER_DIR);
        } catch (FileAlreadyExistsException e) {
            // Also one that an older version or a person made.
            Files.setPosixFilePermissions(path, DIR);
        }
    }

    private static boolean isSafe(String name) {
        return SAFE.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }

    private static void requireSafe(String what, String name) {
        if (!isSafe(name)) {
            throw new IllegalArgumentException(
                    "the "
                            + what
                            + " of a secret may have letters, digits, '.', '-' and '_' only, not: "
                            + name);
        }
    }
}
