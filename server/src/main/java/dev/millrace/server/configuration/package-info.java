/**
 * What can be chosen about the process, read once at its start from flags and {@code
 * millrace.yaml}.
 */
@NullMarked
package dev.millrace.server.configuration;

import org.jspecify.annotations.NullMarked;
