package dev.millrace.workflowengine.validation;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The names of lists: present, well-formed, each once. */
final class Names {
    /** Templates, steps and tasks. */
    static final Names OF_TEMPLATES =
            new Names(
                    Pattern.compile("[a-zA-Z0-9][-a-zA-Z0-9]*"),
                    128,
                    "name must consist of alpha-numeric characters or '-', and must start with an alpha-numeric character (e.g. My-name1-2, 123-NAME)");

    /** Parameters and artifacts. */
    static final Names OF_PARAMETERS =
            new Names(
                    Pattern.compile("[-a-zA-Z0-9_]+"),
                    Integer.MAX_VALUE,
                    "Parameter/Artifact name must consist of alpha-numeric characters, '_' or '-' e.g. my_param_1, MY-PARAM-1");

    private final Pattern form;
    private final int longest;
    private final String rule;

    private Names(Pattern form, int longest, String rule) {
        this.form = form;
        this.longest = longest;
        this.rule = rule;
    }

    /** Checks the names of a list that has a name space of its own. */
    void check(JsonNode list, Where where, String label, Findings findings) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            check(list.get(i), where.index(i), label + "[" + i + "]", seen, findings);
        }
    }

    /**
     * Checks the name of one element.
     *
     * @param seen names of the elements before it; its own is added
     */
    void check(JsonNode element, Where where, String label, Set<String> seen, Findings findings) {
        String name = element.path("name").asString("");
        if (name.isEmpty()) {
            findings.error(where, label + ".name is required");
        } else if (!form.matcher(name).matches()) {
            findings.error(where.key("name"), label + ".name: '" + name + "' is invalid: " + rule);
        } else if (name.length() > longest) {
            findings.error(
                    where.key("name"),
                    label + ".name: '" + name + "' is longer than " + longest + " characters");
        } else if (!seen.add(name)) {
            findings.error(
                    where.key("name"),
                    label + ".name '" + name + "' is not unique",
                    "give it another name");
        }
    }

    /** Checks the name under which an output is known in the whole workflow, if it has one. */
    static void globalName(JsonNode output, Where at, String label, Findings findings) {
        String name = output.path("globalName").asString("");
        if (!name.isEmpty()
                && !name.contains("{{")
                && !OF_PARAMETERS.form.matcher(name).matches()) {
            findings.error(
                    at.key("globalName"),
                    label + ".globalName: '" + name + "' is invalid: " + OF_PARAMETERS.rule);
        }
    }
}
