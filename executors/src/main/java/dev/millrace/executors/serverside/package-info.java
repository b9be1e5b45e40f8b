/**
 * Steps that the server carries out itself, without a program. What is known of a step lies in a
 * file of its own ({@link dev.millrace.executors.serverside.RememberedStep}), so a server that was
 * killed goes on where it was. Read {@link dev.millrace.executors.serverside.StepWork} first: one
 * for each kind of template; then {@link dev.millrace.executors.serverside.ServerSideExecutor}.
 */
@NullMarked
package dev.millrace.executors.serverside;

import org.jspecify.annotations.NullMarked;
