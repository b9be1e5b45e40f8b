package dev.millrace.expressions.tag;

/** What a scope knows of one name. */
public sealed interface Lookup {

    /** The name has this value (not escaped). */
    record Value(String text) implements Lookup {}

    /** The name is unknown here. */
    record Missing() implements Lookup {}

    /** The name belongs to a node that does not exist yet: the whole replacement has to wait. */
    record NotYet(String name) implements Lookup {}

    /** The name is a declared output without default of a node that was skipped or omitted. */
    record Absent(String name) implements Lookup {}
}
