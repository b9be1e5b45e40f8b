package dev.millrace.cli.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command without a command, and the options that all have. */
@Command(
        name = "millrace",
        description =
                "Runs Argo's event sources, sensors and workflows on a log that keeps all that happens.",
        footer = {
            "",
            "Begin with 'millrace demo'. 'millrace COMMAND --help' tells about a command.",
            "Exit codes: 0 done (or the workflow Succeeded), 1 refused (or it did not), 2 the command line is wrong, 69 no server answers or can be started, 70 a fault of Millrace."
        },
        synopsisSubcommandLabel = "COMMAND")
final class RootOptions {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Shows this help.")
    boolean help;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description =
                    "With the stack traces of errors, and with the log of a server that the command starts.")
    boolean verbose;
}
