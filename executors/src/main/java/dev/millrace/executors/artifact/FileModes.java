package dev.millrace.executors.artifact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** File permissions as the nine bits that people write. */
final class FileModes {
    /** In the order of the bits, the highest first. */
    private static final List<PosixFilePermission> BITS = List.of(PosixFilePermission.values());

    private FileModes() {}

    static int bits(Set<PosixFilePermission> permissions) {
        int bits = 0;
        for (PosixFilePermission one : BITS) {
            bits = bits << 1 | (permissions.contains(one) ? 1 : 0);
        }
        return bits;
    }

    static Set<PosixFilePermission> permissions(int bits) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < BITS.size(); i++) {
            if ((bits >> (BITS.size() - 1 - i) & 1) == 1) {
                permissions.add(BITS.get(i));
            }
        }
        return permissions;
    }

    /** Sets the permissions of a file or folder, and of all in it if that is asked for. */
    static void set(Path tree, int bits, boolean all) throws IOException {
        Set<PosixFilePermission> permissions = permissions(bits);
        if (!all) {
            one(tree, permissions);
            return;
        }
        try (Stream<Path> files = Files.walk(tree)) {
            // From the inside out: a folder may lose the right to be entered.
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                one(file, permissions);
            }
        }
    }

    private static void one(Path file, Set<PosixFilePermission> permissions) throws IOException {
        if (!Files.isSymbolicLink(file) && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            Files.setPosixFilePermissions(file, permissions);
        }
    }
}
