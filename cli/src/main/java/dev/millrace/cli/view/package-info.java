/**
 * How workflows and lists look in a terminal. Pure: objects as the server sends them go in, lines
 * come out.
 */
@NullMarked
package dev.millrace.cli.view;

import org.jspecify.annotations.NullMarked;
