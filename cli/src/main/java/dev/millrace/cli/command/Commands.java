package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** All commands. */
public final class Commands {

    private Commands() {}

    /** The command line; parsing and running it has no effects beyond the surroundings. */
    public static CommandLine of(Surroundings surroundings) {
        CommandLine root = new CommandLine(new Root());
        for (Object command :
                new Object[] {
                    new DemoCommand(surroundings),
                    new UpCommand(surroundings),
                    new RunCommand(surroundings),
                    new SubmitCommand(surroundings),
                    new ListCommand(surroundings),
                    new GetCommand(surroundings),
                    new WatchCommand(surroundings),
                    new WaitCommand(surroundings),
                    new LogsCommand(surroundings),
                    new StopCommand(surroundings),
                    new TerminateCommand(surroundings),
                    new SuspendCommand(surroundings),
                    new ResumeCommand(surroundings),
                    new DeleteCommand(surroundings),
                    new LintCommand(surroundings),
                    new ApplyCommand(surroundings),
                    TemplateCommand.of(surroundings),
                    EventsCommand.of(surroundings),
                    new RebuildCommand(surroundings),
                    new VersionCommand(surroundings),
                    new CompletionCommand(surroundings)
                }) {
            root.addSubcommand(command);
        }
        // After the commands: it goes to those that are there.
        return root.setUsageHelpAutoWidth(surroundings.terminal().isPresent())
                .setUsageHelpLongOptionsMaxWidth(30)
                .setColorScheme(
                        CommandLine.Help.defaultColorScheme(
                                switch (surroundings.style()) {
                                    case PLAIN -> CommandLine.Help.Ansi.OFF;
                                    case COLOURED -> CommandLine.Help.Ansi.ON;
                                }));
    }

    @Command(
            name = "millrace",
            description = "Runs Argo's event sources, sensors and workflows on a log that keeps all that happens.",
            footer = {
                "",
                "Begin with 'millrace demo'. 'millrace COMMAND --help' tells about a command.",
                "Exit codes: 0 done (or the workflow Succeeded), 1 refused (or it did not), 2 the command line is wrong,",
                "69 no server answers or can be started, 70 a fault of Millrace."
            },
            synopsisSubcommandLabel = "COMMAND")
    private static final class Root {

        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                scope = ScopeType.INHERIT,
                description = "Shows this help.")
        boolean help;

        @Option(
                names = {"-v", "--verbose"},
                scope = ScopeType.INHERIT,
                description = "With the stack traces of errors.")
        boolean verbose;
    }
}
