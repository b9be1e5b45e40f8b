package dev.millrace.workflowengine.simulation;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepSpec;
import java.time.Duration;
import java.util.Optional;

/** Says what becomes of the steps of a simulated workflow. */
public interface SimulatedSteps {

    /**
     * How a step or a pause goes.
     *
     * @param after how long it takes, not negative
     */
    record Course(Duration after, StepOutcome outcome) {}

    /** What becomes of a step that begins. */
    Course step(Node node, StepSpec spec);

    /**
     * How somebody ends the pause of a suspend node: its outcome's phase and parameters are set
     * from outside. Empty leaves it to its own duration.
     */
    Optional<Course> pause(Node node);
}
