package dev.millrace.log.stream;

/**
 * A core as {@link CoreProcessor} runs it: it loads what it needs from the turn's store, decides,
 * and puts back what changed. An exception means a bug in it: nothing of the turn happened then,
 * and {@link #onFailure} ends the entity.
 */
public interface EntityCore<I> {

    void onInput(Input<I> input, Turn turn);

    /** A timer fired; it is removed already. To go on a little later, set one that is due now. */
    void onTimer(Timer timer, Turn turn);

    /**
     * A turn of the entity threw. In a turn of its own; the input is a dead letter already.
     *
     * @param reference the dead letter's origin, for messages
     */
    void onFailure(String entity, String reference, RuntimeException cause, Turn turn);
}
