package dev.millrace.triggers.action;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of workflows that are to be generated: the same for every attempt of an activation. */
final class WorkflowName {

    private static final int LENGTH = 10;

    private WorkflowName() {}

    /** Ten characters that follow from the activation's id. */
    static String suffix(String activationId) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(activationId.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
