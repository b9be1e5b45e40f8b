package dev.millrace.triggers.parameter;

/** What the source of a parameter gives. */
public sealed interface ParameterValue {

    /** A text, placed as a JSON string. */
    record Text(String text) implements ParameterValue {}

    /**
     * A value that keeps its JSON type.
     *
     * @param json its text, placed as it is
     */
    record Raw(String json) implements ParameterValue {

        @Override
        public String toString() {
            return json;
        }
    }

    /** The event is not there and there is no default: the parameter is skipped. */
    record Absent() implements ParameterValue {}

    /** The event is there but the value is not: the attempt fails. */
    record Unresolved(String message) implements ParameterValue {}

    /** Asks for what is not supported yet: every attempt would fail. */
    record Unsupported(String message) implements ParameterValue {}
}
