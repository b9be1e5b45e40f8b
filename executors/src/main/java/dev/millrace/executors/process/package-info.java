/**
 * Steps as processes of this host. A step outlives the server: a few lines of shell in a session of
 * their own claim it, run it, enforce its deadline and leave its exit code in the step's folder;
 * the JVM only watches. Read {@link dev.millrace.executors.process.ProcessExecutor} first, then
 * {@code supervise.sh} beside it, then {@link dev.millrace.executors.process.Sandbox}.
 */
@NullMarked
package dev.millrace.executors.process;

import org.jspecify.annotations.NullMarked;
