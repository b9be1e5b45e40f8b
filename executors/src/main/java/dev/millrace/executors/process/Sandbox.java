package dev.millrace.executors.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** How a step sees the host. */
sealed interface Sandbox permits Bubblewrap, PlainProcess {
    /**
     * The command of this host that runs the step. It writes {@code "child-pid": N,} to file
     * descriptor 3, N being the leader of a process group that holds the step's processes and
     * nothing else.
     */
    List<String> commandLine(StepProcess process, PrivateFiles files);

    /**
     * The process as it must be started: with its paths rewritten where it has no file view of its
     * own.
     */
    StepProcess adapt(StepProcess process, PrivateFiles files);

    /** Where a path that the step uses lies on this host. */
    Path onHost(String stepPath, PrivateFiles files);

    /**
     * What a step that has ended left, or found, at a path.
     *
     * @param own paths that the step was given or may have written into: inputs, volumes, outputs
     * @return an existing file or folder of this host that the step could read; empty if there is
     *     none
     */
    Optional<Path> find(String stepPath, PrivateFiles files, Collection<String> own)
            throws IOException;

    /** Whether the folder of an output must be there before the step starts. */
    boolean needsFolderOf(String stepPath);

    /** The {@code PATH} of steps that set none. */
    String searchPath();

    /** Whether processes that left the step's group are still there after its end. */
    boolean leavesProcesses();

    /** What a person must know about it; empty if nothing. */
    Optional<String> warning();
}
