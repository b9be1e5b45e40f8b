/** One class per command: its options, and the few calls that it makes of them. */
@NullMarked
package dev.millrace.cli.command;

import org.jspecify.annotations.NullMarked;
