package dev.millrace.workflowengine.topology;

/** Counts what the engine does. Called by stream threads: must be safe for several, and quick. */
public interface EngineMeter {

    /** Counts nothing. */
    EngineMeter NONE =
            new EngineMeter() {
                @Override
                public void input() {}

                @Override
                public void transition(int events) {}

                @Override
                public void failure() {}
            };

    /** A command, a step result or a timer was taken up. */
    void input();

    /** A transition was written. */
    void transition(int events);

    /** An input could not be handled: it went to the dead letters. */
    void failure();
}
