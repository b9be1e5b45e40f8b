package dev.millrace.executors.artifact;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Keys of artifacts: names with slashes. */
final class Keys {
    private Keys() {}

    /** A key below another. */
    static String join(String folder, String name) {
        return folder.isEmpty() || folder.endsWith("/") ? folder + name : folder + "/" + name;
    }

    /** The key of a folder with its slash. */
    static String folder(String key) {
        return key.isEmpty() || key.endsWith("/") ? key : key + "/";
    }

    /**
     * The file of a name below a folder.
     *
     * @param place what the name belongs to, for the error
     * @throws ArtifactException if the name leads out of the folder or names nothing in it
     */
    static Path inside(Path folder, String name, String place) throws ArtifactException {
        try {
            Path file = folder.resolve(name).normalize();
            boolean climbs = false;
            for (Path part : Path.of(name)) {
                climbs |= part.toString().equals("..");
            }
            if (!climbs
                    && !name.startsWith("/")
                    && file.startsWith(folder)
                    && !file.equals(folder)) {
                return file;
            }
        } catch (InvalidPathException e) {
            throw new ArtifactException("%s: '%s' is no name of a file".formatted(place, name), e);
        }
        throw new ArtifactException(
                "%s: '%s' leads out of its folder; write a path without '..' and without a leading slash"
                        .formatted(place, name));
    }
}
