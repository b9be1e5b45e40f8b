package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.view.YamlText;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Prints an object in a form for programs. */
final class ObjectPrinter {

    /** Forms that every object has. */
    static final List<String> FORMS = List.of("json", "yaml", "name");

    private ObjectPrinter() {}

    static void print(JsonNode object, String form, Surroundings surroundings) {
        surroundings
                .out()
                .println(
                        switch (form) {
                            case "json" -> YamlText.json(object);
                            case "yaml" -> YamlText.of(object).stripTrailing();
                            case "name" -> object.path("metadata").path("name").asString("");
                            default ->
                                    throw CommandException.usage(
                                            "-o %s: one of %s is expected"
                                                    .formatted(form, String.join(", ", FORMS)));
                        });
    }
}
