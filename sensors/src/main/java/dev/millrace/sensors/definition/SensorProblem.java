package dev.millrace.sensors.definition;

import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Places;

/**
 * Something about a sensor that its author should mend.
 *
 * @param path of the member concerned
 * @param message what is wrong, in the words that the field knows where it has any
 * @param hint what to do, empty if the message says it
 */
public record SensorProblem(
        Part part, DocumentPath path, String message, String hint, Effect effect) {

    /** Which condition of the status the problem belongs to. */
    public enum Part {
        DEPENDENCIES,
        TRIGGERS
    }

    /** What comes of it. */
    public sealed interface Effect {

        /** No trigger of the sensor runs. */
        record RefusesSensor() implements Effect {}

        /** One trigger never fires; the others do. */
        record StopsTrigger(String trigger) implements Effect {}

        /** One trigger fires and then fails: what it does is not supported. */
        record FailsTrigger(String trigger) implements Effect {}
    }

    static SensorProblem dependency(DocumentPath path, String message, String hint) {
        return new SensorProblem(
                Part.DEPENDENCIES, path, message, hint, new Effect.RefusesSensor());
    }

    static SensorProblem trigger(DocumentPath path, String message, String hint) {
        return new SensorProblem(Part.TRIGGERS, path, message, hint, new Effect.RefusesSensor());
    }

    /** Whether no trigger of the sensor runs. */
    public boolean refusesSensor() {
        return effect instanceof Effect.RefusesSensor;
    }

    /** Whether it concerns that trigger alone. */
    public boolean concerns(String trigger) {
        return switch (effect) {
            case Effect.RefusesSensor() -> false;
            case Effect.StopsTrigger(String name) -> name.equals(trigger);
            case Effect.FailsTrigger(String name) -> name.equals(trigger);
        };
    }

    /**
     * With its place in the text it was read from. What concerns one trigger is a warning: the
     * manifest is accepted, its other triggers run, and the status says the rest.
     */
    public Problem in(Places places) {
        return refusesSensor()
                ? Problem.error(places.of(path), path.toString(), message, hint)
                : Problem.warning(places.of(path), path.toString(), message, hint);
    }

    /** The message first, since readers of a status know it; then place and cure. */
    @Override
    public String toString() {
        return message + " (at " + path + (hint.isEmpty() ? "" : ": " + hint) + ")";
    }
}
