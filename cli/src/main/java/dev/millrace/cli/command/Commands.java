package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import picocli.CommandLine;

/** All commands. */
public final class Commands {

    private Commands() {}

    /** The command line; parsing and running it has no effects beyond the surroundings. */
    public static CommandLine of(Surroundings surroundings) {
        RootOptions options = new RootOptions();
        CommandLine root = new CommandLine(options);
        for (Object command :
                new Object[] {
                    new DemoCommand(surroundings, options),
                    new UpCommand(surroundings),
                    new RunCommand(surroundings, options),
                    new SubmitCommand(surroundings),
                    new ListCommand(surroundings),
                    new GetCommand(surroundings),
                    new DiffCommand(surroundings),
                    new WatchCommand(surroundings),
                    new WaitCommand(surroundings),
                    new LogsCommand(surroundings),
                    new CpCommand(surroundings),
                    new StopCommand(surroundings),
                    new TerminateCommand(surroundings),
                    new SuspendCommand(surroundings),
                    new ResumeCommand(surroundings),
                    new RetryCommand(surroundings),
                    new ResubmitCommand(surroundings),
                    NodeCommand.of(surroundings),
                    new DeleteCommand(surroundings),
                    new LintCommand(surroundings),
                    new TestCommand(surroundings, options),
                    new ApplyCommand(surroundings),
                    TemplateCommand.of(surroundings),
                    CronCommand.of(surroundings),
                    EventsCommand.of(surroundings),
                    SyncCommand.of(surroundings),
                    new RebuildCommand(surroundings),
                    new VersionCommand(surroundings),
                    new CompletionCommand(surroundings),
                    new HelpCommand(surroundings)
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
}
