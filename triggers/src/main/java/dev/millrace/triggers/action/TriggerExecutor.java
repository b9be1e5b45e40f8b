package dev.millrace.triggers.action;

import dev.millrace.schemas.sensor.TriggerAction;

/** Carries out triggers of one type. It may block; it is called on virtual threads. */
public interface TriggerExecutor<A extends TriggerAction> {

    /**
     * @param action the action after the parameters of the template, before its own
     * @throws InterruptedException when the process closes; the attempt will be repeated
     */
    DispatchOutcome execute(Attempt attempt, A action) throws InterruptedException;
}
