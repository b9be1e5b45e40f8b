package dev.millrace.schemas.record;

/**
 * What is known of a daemon's node once the daemon was ready.
 *
 * @param address where the other steps of its workflow reach it
 * @param live whether it still runs: its node is done for whoever waits for it, though its phase is
 *     Running
 */
public record Daemon(String address, boolean live) {}
