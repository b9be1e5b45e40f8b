/**
 * Runs the steps of workflows and tells what became of them. {@link
 * dev.millrace.executors.Executor} is the contract, {@link dev.millrace.executors.LogStore} gives
 * what the steps said, and {@link dev.millrace.executors.StepWorker} connects an executor with the
 * topics {@code steps} and {@code step-results}. Nothing here decides what runs next.
 */
@NullMarked
package dev.millrace.executors;

import org.jspecify.annotations.NullMarked;
