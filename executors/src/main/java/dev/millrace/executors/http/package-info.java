/**
 * Steps that are calls which the server makes itself: those of {@code http} templates, and of
 * {@code plugin} templates. Read {@link dev.millrace.executors.http.HttpSteps} and {@link
 * dev.millrace.executors.http.PluginSteps} first, then {@link
 * dev.millrace.executors.http.HttpCall}.
 */
@NullMarked
package dev.millrace.executors.http;

import org.jspecify.annotations.NullMarked;
