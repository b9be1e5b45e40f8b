package dev.millrace.expressions.condition;

/**
 * A text is no condition over the declared dependencies; the message is the one that a sensor would
 * log.
 */
public final class TriggerConditionException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    TriggerConditionException(String message) {
        super(message);
    }
}
