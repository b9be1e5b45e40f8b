/**
 * Steps of {@code http} templates: calls that the server makes itself. Read {@link
 * dev.millrace.executors.http.HttpSteps} first, then {@link dev.millrace.executors.http.HttpCall}.
 */
@NullMarked
package dev.millrace.executors.http;

import org.jspecify.annotations.NullMarked;
