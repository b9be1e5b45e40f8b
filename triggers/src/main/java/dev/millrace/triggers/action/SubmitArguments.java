package dev.millrace.triggers.action;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The arguments of {@code argo submit} that workflow triggers pass, written into the workflow. */
public final class SubmitArguments {

    /** What only tells the command line to wait or to print. */
    private static final Set<String> SWITCHES = Set.of("--wait", "--watch", "--log", "-w");

    private SubmitArguments() {}

    /** Whether all arguments were understood. */
    public sealed interface Written {
        record Done() implements Written {}

        record Unsupported(String message) implements Written {}
    }

    /** Changes the workflow. */
    public static Written write(List<String> args, ObjectNode workflow) {
        List<String> words = new ArrayList<>();
        for (String arg : args) {
            int equals = arg.startsWith("--") ? arg.indexOf('=') : -1;
            if (equals > 0) {
                String flag = arg.substring(0, equals);
                if (!SWITCHES.contains(flag)) {
                    words.add(flag);
                    words.add(arg.substring(equals + 1));
                }
            } else if (arg.length() > 2 && arg.matches("-[plo].+")) {
                words.add(arg.substring(0, 2));
                words.add(arg.charAt(2) == '=' ? arg.substring(3) : arg.substring(2));
            } else if (!SWITCHES.contains(arg)) {
                words.add(arg);
            }
        }
        for (int i = 0; i < words.size(); i++) {
            String name = words.get(i);
            if (i + 1 == words.size()) {
                return new Written.Unsupported("args: " + name + " has no value");
            }
            String value = words.get(++i);
            switch (name) {
                // What only says what the command line prints.
                case "--node-field-selector", "--status", "-o", "--output" -> {}
                case "-p", "--parameter" -> {
                    int equals = value.indexOf('=');
                    if (equals < 1) {
                        return new Written.Unsupported("args: write -p name=value, not " + value);
                    }
                    parameter(workflow, value.substring(0, equals), value.substring(equals + 1));
                }
                case "-l", "--labels" -> {
                    ObjectNode labels = member(member(workflow, "metadata"), "labels");
                    for (String label : value.split(",", -1)) {
                        int equals = label.indexOf('=');
                        if (equals < 1) {
                            return new Written.Unsupported(
                                    "args: write --labels name=value,…, not " + value);
                        }
                        labels.put(label.substring(0, equals), label.substring(equals + 1));
                    }
                }
                case "--name" -> member(workflow, "metadata").put("name", value);
                case "--generate-name" -> {
                    member(workflow, "metadata").remove("name");
                    member(workflow, "metadata").put("generateName", value);
                }
                case "--serviceaccount" ->
                        member(workflow, "spec").put("serviceAccountName", value);
                case "--entrypoint" -> member(workflow, "spec").put("entrypoint", value);
                case "--priority" -> {
                    if (!value.matches("-?\\d{1,9}")) {
                        return new Written.Unsupported("args: --priority is a whole number");
                    }
                    member(workflow, "spec").put("priority", Integer.parseInt(value));
                }
                case "--parameter-file", "-f" -> {
                    return new Written.Unsupported(
                            "args: "
                                    + name
                                    + " would read a file of the server; write its parameters with -p, or into the workflow");
                }
                default -> {
                    return new Written.Unsupported(
                            "args: "
                                    + name
                                    + " is not supported yet; there are -p, --labels, --name,"
                                    + " --generate-name, --serviceaccount, --entrypoint, --priority");
                }
            }
        }
        return new Written.Done();
    }

    /** In place of one with the same name. */
    private static void parameter(ObjectNode workflow, String name, String value) {
        ObjectNode arguments = member(member(workflow, "spec"), "arguments");
        ArrayNode parameters =
                arguments.get("parameters") instanceof ArrayNode list
                        ? list
                        : arguments.putArray("parameters");
        for (JsonNode parameter : parameters) {
            if (parameter instanceof ObjectNode object
                    && name.equals(object.path("name").asString(""))) {
                object.put("value", value);
                object.remove("valueFrom");
                return;
            }
        }
        parameters.addObject().put("name", name).put("value", value);
    }

    static ObjectNode member(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode object ? object : parent.putObject(name);
    }
}
