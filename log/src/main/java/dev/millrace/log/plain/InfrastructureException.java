package dev.millrace.log.plain;

import org.jspecify.annotations.Nullable;

/** Something outside failed that will work again (a broker, a disk, a database): try again. */
public final class InfrastructureException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InfrastructureException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Whether a failure is of the infrastructure. All else is a bug or bad input, and a repeat
     * would fail alike.
     */
    static boolean isInfrastructure(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof org.apache.kafka.common.errors.SerializationException
                    || t instanceof org.apache.kafka.common.errors.RecordTooLargeException) {
                return false;
            }
            if (t instanceof InfrastructureException
                    || t instanceof java.io.IOException
                    || t instanceof java.io.UncheckedIOException
                    || t instanceof java.sql.SQLException
                    || t instanceof java.util.concurrent.TimeoutException
                    || (t instanceof VirtualMachineError && !(t instanceof StackOverflowError))
                    || t instanceof org.apache.kafka.common.KafkaException) {
                return true;
            }
        }
        return false;
    }
}
