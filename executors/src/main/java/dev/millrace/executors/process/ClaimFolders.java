package dev.millrace.executors.process;

import dev.millrace.executors.StepRefusedException;
import dev.millrace.executors.artifact.Trees;
import dev.millrace.schemas.record.WorkflowRef;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Persistent volume claims as folders, by namespace and name. There is no storage to provision: the
 * first step that uses a claim makes its folder, and all others of its namespace that name it share
 * it.
 *
 * @param root the folder of all claims
 */
record ClaimFolders(Path root) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?");
    private static final String REMOVED = ".removed-";

    /** The folder of a claim; it exists afterwards. */
    Path use(String namespace, String claim) throws IOException, StepRefusedException {
        for (String name : List.of(namespace, claim)) {
            if (!NAME.matcher(name).matches()) {
                throw new StepRefusedException(
                        "volumes: '%s' is no name for a persistent volume claim".formatted(name));
            }
        }
        Path folder = root.resolve(namespace).resolve(claim);
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        return folder;
    }

    /** Removes the folders of claims; from now on their names mean new ones. */
    void release(WorkflowRef workflow, List<String> claims) throws IOException {
        for (String claim : claims) {
            Path folder = root.resolve(workflow.namespace()).resolve(claim).normalize();
            if (folder.startsWith(root) && Files.isDirectory(folder)) {
                // First out of the way: a process that is just being ended may still write there.
                Path removed = root.resolve(REMOVED + UUID.randomUUID());
                Files.move(folder, removed, StandardCopyOption.ATOMIC_MOVE);
                Trees.delete(removed);
            }
        }
    }

    /** Removes what an earlier server was about to remove. */
    void tidy() throws IOException {
        if (!Files.isDirectory(root)) {
            return;
        }
        try (DirectoryStream<Path> removed = Files.newDirectoryStream(root, REMOVED + "*")) {
            for (Path folder : removed) {
                Trees.delete(folder);
            }
        }
    }
}
