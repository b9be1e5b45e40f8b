package dev.millrace.cli.command;

import dev.millrace.schemas.manifest.ManifestReader.UnknownFields;
import picocli.CommandLine.Option;

/** Whether unknown fields are errors. */
final class Strictness {

    @Option(
            names = "--strict",
            paramLabel = "true|false",
            arity = "0..1",
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "Whether unknown fields of workflows and templates are errors (default); with --strict=false they are warned of and left out.")
    boolean strict = true;

    UnknownFields unknownFields() {
        return strict ? UnknownFields.REFUSED : UnknownFields.LEFT_OUT;
    }
}
