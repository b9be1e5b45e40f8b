package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "help", description = "Shows what --help of a command shows.")
final class HelpCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "The command, such as 'submit' or 'events list'.")
    List<String> words = new ArrayList<>();

    HelpCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        CommandLine command = Commands.of(surroundings);
        for (String word : words) {
            CommandLine next = command.getSubcommands().get(word);
            if (next == null) {
                throw CommandException.usage(
                        "'%s' has no command %s; there are %s"
                                .formatted(
                                        command.getCommandSpec().qualifiedName(),
                                        word,
                                        String.join(", ", command.getSubcommands().keySet())));
            }
            command = next;
        }
        surroundings.out().print(command.getUsageMessage());
        return ExitCode.OK;
    }
}
