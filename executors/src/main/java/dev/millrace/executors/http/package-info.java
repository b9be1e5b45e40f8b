/**
 * Steps of {@code http} templates: calls that the server makes itself. What is known of a step lies
 * in a file of its own ({@link dev.millrace.executors.http.RememberedStep}), so a server that was
 * killed goes on where it was. A call that was under way then is made again, with the same {@code
 * Idempotency-Key}: the step's id. Read {@link dev.millrace.executors.http.HttpStepExecutor} first,
 * then {@link dev.millrace.executors.http.HttpCall}.
 */
@NullMarked
package dev.millrace.executors.http;

import org.jspecify.annotations.NullMarked;
