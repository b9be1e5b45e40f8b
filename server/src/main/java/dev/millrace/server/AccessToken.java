package dev.millrace.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/**
 * The bearer token of a server that others than this machine can reach: a file that only its owner
 * reads.
 */
public final class AccessToken {

    /** Name of the file in the data folder. */
    public static final String FILE = "token";

    private static final int BYTES = 32;

    private AccessToken() {}

    /**
     * The token of a data folder, made at the first time.
     *
     * @throws UncheckedIOException if the file cannot be read or written
     */
    public static String of(Path dataFolder) {
        Path file = dataFolder.resolve(FILE);
        try {
            if (Files.exists(file)) {
                // Also a file that was copied here with other permissions.
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
                String token = Files.readString(file).strip();
                if (!token.isEmpty()) {
                    return token;
                }
                Files.delete(file);
            }
            byte[] random = new byte[BYTES];
            new SecureRandom().nextBytes(random);
            String token = HexFormat.of().formatHex(random);
            try (FileChannel channel =
                    FileChannel.open(
                            file,
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")))) {
                channel.write(ByteBuffer.wrap((token + "\n").getBytes(StandardCharsets.UTF_8)));
                channel.force(true);
            }
            return token;
        } catch (IOException e) {
            throw new UncheckedIOException("the token file " + file + " cannot be used", e);
        }
    }
}
