/** Servers in this process, for {@code up}, {@code demo} and {@code run}. */
@NullMarked
package dev.millrace.cli.local;

import org.jspecify.annotations.NullMarked;
