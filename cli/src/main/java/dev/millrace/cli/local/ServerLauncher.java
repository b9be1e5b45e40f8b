package dev.millrace.cli.local;

import java.util.function.Consumer;

/** Starts servers in this process. */
public interface ServerLauncher {

    /**
     * Starts a server; returns when it answers requests.
     *
     * @param say hears, in one line each, what a person should know meanwhile
     * @throws dev.millrace.cli.CommandException saying what is in the way (a port, the data folder
     *     …) and the cure
     */
    RunningServer start(ServerPlan plan, Consumer<String> say);
}
