package dev.millrace.log.embedded;

import java.nio.file.Path;

/** A process that claims a folder and keeps it. */
final class OwnedFolder {

    private OwnedFolder() {}

    public static void main(String[] args) throws Exception {
        DataFolder.claim(Path.of(args[0]));
        System.out.println("claimed");
        Thread.sleep(Long.MAX_VALUE);
    }
}
