package dev.millrace.bench.load;

/** What a main does. */
@FunctionalInterface
interface Program {

    void run() throws InterruptedException;

    /**
     * Runs it and ends the process: threads of an installation that could not be stopped must not
     * keep it.
     */
    static void runAndExit(Program program) {
        int code = 0;
        try {
            program.run();
        } catch (InterruptedException | RuntimeException e) {
            e.printStackTrace();
            code = 1;
        }
        System.out.flush();
        System.exit(code);
    }
}
