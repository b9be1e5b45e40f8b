package dev.millrace.executors.process;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to run, as a container sees it: every path is one of its own tree.
 *
 * @param command the program and its arguments, at least one word
 * @param env the whole environment
 * @param workingDir an absolute path
 * @param script the text that goes to {@link #SCRIPT}, its path being the last argument; null for a
 *     container
 * @param writtenPaths the absolute paths of files and folders that the step is known to write or to
 *     be given
 */
record StepProcess(
        List<String> command,
        Map<String, String> env,
        String workingDir,
        @Nullable String script,
        Set<String> writtenPaths) {

    static final String SCRIPT = "/argo/staging/script";
    static final String PROGRESS = "/var/run/argo/progress";

    /** Another command in the same surroundings. */
    StepProcess withCommand(List<String> other) {
        return new StepProcess(other, env, workingDir, null, writtenPaths);
    }

    StepProcess withEnv(Map<String, String> newEnv) {
        return new StepProcess(command, newEnv, workingDir, script, writtenPaths);
    }
}
