package dev.millrace.cli;

/** What the command tells its caller when it ends. */
public final class ExitCode {

    /** Done; where a workflow was waited for, it Succeeded. */
    public static final int OK = 0;

    /** The workflow ended otherwise, or what was asked for was refused. */
    public static final int FAILED = 1;

    /** The command line is wrong. */
    public static final int USAGE = 2;

    /** No server answers, or one cannot be started here. */
    public static final int UNAVAILABLE = 69;

    /** A fault of Millrace itself. */
    public static final int FAULT = 70;

    private ExitCode() {}

    /** The code for a workflow's final phase. */
    public static int ofPhase(String phase) {
        return phase.equals("Succeeded") ? OK : FAILED;
    }
}
