package dev.millrace.executors;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an image would run, for executors that do not pull images.
 *
 * @param commands the command and first arguments by image reference; a reference without a tag or
 *     digest stands for all of them
 */
public record Images(Map<String, List<String>> commands) {
    public Images {
        commands = Map.copyOf(commands);
    }

    /** The images that the executor brings a stand-in for. */
    public static Images builtIn() {
        return new Images(
                Map.of(
                        "argoproj/argosay", List.of("argosay"),
                        "docker/whalesay", List.of("cowsay"),
                        "rancher/cowsay", List.of("cowsay")));
    }

    /** These, and the given ones on top. */
    public Images with(Map<String, List<String>> more) {
        Map<String, List<String>> all = new HashMap<>(commands);
        all.putAll(more);
        return new Images(all);
    }

    /**
     * The command of an image.
     *
     * @param image a reference as a template has it, with or without the registries {@code
     *     docker.io} and {@code quay.io}
     * @return the command; empty if none is known
     */
    public Optional<List<String>> command(String image) {
        String bare = image.replaceFirst("^(docker\\.io|quay\\.io)/(library/)?", "");
        String nameOnly = bare.replaceFirst("@.*$", "").replaceFirst(":[^/:]*$", "");
        return Stream.of(image, bare, nameOnly)
                .filter(commands::containsKey)
                .map(commands::get)
                .findFirst();
    }
}
