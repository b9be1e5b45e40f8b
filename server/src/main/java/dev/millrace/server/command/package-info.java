/**
 * From what somebody asks for to a command in the log, and back with the engine's answer: names and
 * ids are given here, manifests are checked and references resolved, and the caller reads its own
 * writes.
 */
@NullMarked
package dev.millrace.server.command;

import org.jspecify.annotations.NullMarked;
