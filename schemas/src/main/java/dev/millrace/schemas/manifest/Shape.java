package dev.millrace.schemas.manifest;

/** What a value of a manifest may look like. */
sealed interface Shape {

    /** A text. */
    record Text() implements Shape {}

    /** A whole number within bounds, both inclusive. */
    record Whole(long min, long max) implements Shape {}

    /** Any number. */
    record Decimal() implements Shape {}

    /** true or false. */
    record Flag() implements Shape {}

    /** A text that may also be written as a number or a boolean. */
    record AnyScalar() implements Shape {}

    /** Anything; nobody looks inside. */
    record Free() implements Shape {}

    record ListOf(Shape item) implements Shape {}

    /** An object with keys of the author's choice. */
    record MapOf(Shape value) implements Shape {}

    /**
     * An object with the fields of a record; {@link Shapes#fields} tells which, since records may
     * contain themselves.
     */
    record Struct(Class<?> type) implements Shape {}

    /** A field of a {@link Struct}. */
    record Field(String name, Shape shape, boolean required) {}
}
