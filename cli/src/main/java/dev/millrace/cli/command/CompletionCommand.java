package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "completion",
        description = {
            "Prints a script that completes commands and options in bash and zsh.",
            "For this shell: source <(millrace completion bash)"
        })
final class CompletionCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(arity = "0..1", paramLabel = "SHELL", description = "bash (default) or zsh.")
    String shell = "bash";

    CompletionCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (!shell.equals("bash") && !shell.equals("zsh")) {
            throw CommandException.usage("%s: there are scripts for bash and zsh".formatted(shell));
        }
        surroundings.out().print(AutoComplete.bash("millrace", Commands.of(surroundings)));
        return ExitCode.OK;
    }
}
