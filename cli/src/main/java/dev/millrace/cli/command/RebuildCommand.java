package dev.millrace.cli.command;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.local.MillraceLauncher;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "rebuild",
        description = {
            "Makes the read model (what lists and pages are read from) anew from the log.",
            "The server of the data folder must be stopped. Nothing in the log changes."
        })
final class RebuildCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The data folder; ./.millrace without it.")
    String data = "";

    RebuildCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Path folder =
                data.isEmpty() ? surroundings.dataFolder() : surroundings.folder().resolve(data);
        Path file = MillraceLauncher.rebuild(folder);
        surroundings.out().println("The read model " + file + " is made anew.");
        return ExitCode.OK;
    }
}
