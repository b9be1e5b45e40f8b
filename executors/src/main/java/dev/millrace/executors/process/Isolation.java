package dev.millrace.executors.process;

/** How a step's files are kept apart from those of the host and of other steps. */
public enum Isolation {
    /** Bubblewrap if it works on this host, else none. */
    AUTO,
    /** Bubblewrap; the executor does not start where it does not work. */
    BUBBLEWRAP,
    /**
     * A plain process in its own folder, with the paths that it declares rewritten to lie there.
     */
    NONE
}
