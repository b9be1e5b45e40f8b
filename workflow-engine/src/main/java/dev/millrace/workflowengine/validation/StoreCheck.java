package dev.millrace.workflowengine.validation;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Whether the stores that artifacts name are there. */
final class StoreCheck {
    private static final List<String> ABSENT =
            List.of("gcs", "azure", "oss", "hdfs", "artifactory", "plugin");

    private static final List<String> UNLISTED = List.of("http", "git", "raw");

    private final Findings findings;

    StoreCheck(Findings findings) {
        this.findings = findings;
    }

    /** Checks the artifacts of inputs, outputs or arguments. */
    void artifacts(JsonNode owner, Where where, String label) {
        JsonNode artifacts = owner.path("artifacts");
        for (int i = 0; i < artifacts.size(); i++) {
            place(
                    artifacts.get(i),
                    where.key("artifacts").index(i),
                    label + ".artifacts." + artifacts.get(i).path("name").asString(""));
        }
    }

    /** Checks a folder whose files are to be listed. */
    void listed(JsonNode place, Where where, String label) {
        place(place, where, label);
        for (String store : UNLISTED) {
            if (place.hasNonNull(store)) {
                findings.error(
                        where.key(store),
                        label + " lies in a store that cannot be listed: " + store,
                        "local and s3 can be listed");
            }
        }
    }

    /** Checks one place. */
    void place(JsonNode place, Where where, String label) {
        for (String store : ABSENT) {
            if (place.hasNonNull(store)) {
                findings.error(
                        where.key(store),
                        label + " lies in a store that is not there: " + store,
                        "there are local, s3, http, git and raw");
            }
        }
    }
}
