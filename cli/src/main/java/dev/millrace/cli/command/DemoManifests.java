package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import dev.millrace.schemas.manifest.Kind;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The manifests of the demo, and where their webhooks are. */
record DemoManifests(Path folder, List<ManifestFile> files) {

    static DemoManifests read(Path folder, Surroundings surroundings) {
        return new DemoManifests(
                folder,
                ManifestFile.expand(List.of(folder.toString()), surroundings).stream()
                        .map(name -> ManifestFile.read(name, surroundings))
                        .toList());
    }

    /** The ports that the webhooks listen on. */
    List<Integer> ports() {
        return Stream.of("push", "approve")
                .map(event -> webhook(event).getPort())
                .distinct()
                .toList();
    }

    /**
     * Where an event is posted to.
     *
     * @throws CommandException if there is no such webhook any more
     */
    URI webhook(String event) {
        JsonNode webhook =
                files.stream()
                        .flatMap(file -> file.documents(false).stream())
                        .map(document -> document.manifest())
                        .filter(manifest -> manifest.kind() == Kind.EVENT_SOURCE)
                        .map(manifest -> manifest.tree().path("spec").path("webhook").path(event))
                        .filter(JsonNode::isObject)
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        CommandException.refused(
                                                "%s has no webhook '%s'; the demo posts to 'push' and 'approve'"
                                                        .formatted(folder, event)));
        return URI.create(
                "http://localhost:"
                        + webhook.path("port").asString("")
                        + webhook.path("endpoint").asString("/"));
    }
}
