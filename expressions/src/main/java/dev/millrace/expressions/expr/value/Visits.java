package dev.millrace.expressions.expr.value;

/**
 * Bounds a walk over a value. Values may share parts: sixty times {@code [x, x]} takes sixty small
 * lists, but a walk over it never ends; and what is made in a loop may be nested as deeply as the
 * loop is long.
 */
public final class Visits {

    private static final int MAX_VISITS = 1_000_000;
    private static final int MAX_DEPTH = 1_000;

    private int visits;
    private int depth;

    /**
     * Before the parts of a list or map are looked at.
     *
     * @throws GoPanic if it is too deep inside, or too much was looked at
     */
    public void enter() {
        if (++depth > MAX_DEPTH || ++visits > MAX_VISITS) {
            throw new GoPanic("memory budget exceeded");
        }
    }

    /** After them. */
    public void leave() {
        depth--;
    }
}
