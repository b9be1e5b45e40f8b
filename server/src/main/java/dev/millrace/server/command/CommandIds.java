package dev.millrace.server.command;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/** Ids and names that are the same again for the same command, so that a repeat starts nothing. */
public final class CommandIds {

    /** A caller that repeats a request gives the id that it was told. */
    public static final String HEADER = "Millrace-Command-Id";

    // Those that Kubernetes uses: without vowels, so that no words come out.
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private CommandIds() {}

    /** A new id. */
    public static String random() {
        return UUID.randomUUID().toString();
    }

    /** The uid of what a command makes. */
    public static String uid(String commandId) {
        return UUID.nameUUIDFromBytes(
                        ("millrace workflow " + commandId).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /** The end of a generated name. */
    public static String suffix(String commandId, int length) {
        byte[] hash = sha256(commandId);
        StringBuilder suffix = new StringBuilder();
        for (int i = 0; i < length; i++) {
            suffix.append(ALPHABET.charAt(Math.floorMod(hash[i], ALPHABET.length())));
        }
        return suffix.toString();
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
