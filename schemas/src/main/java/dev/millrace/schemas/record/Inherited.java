package dev.millrace.schemas.record;

/** What a task that never ran has of those before it: their failure, if there was one. */
public enum Inherited {
    SUCCEEDED,
    FAILED,
    ERROR,
    /** Not all of them failed in the same way, or one may still: which counts, a walk says. */
    UNCLEAR;

    /** What is inherited from these and from others. */
    public Inherited and(Inherited other) {
        if (this == other || other == SUCCEEDED) {
            return this;
        }
        return this == SUCCEEDED ? other : UNCLEAR;
    }
}
