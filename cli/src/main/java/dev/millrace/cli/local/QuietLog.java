package dev.millrace.cli.local;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the server's log from running through a picture: only errors come through. */
final class QuietLog {

    private QuietLog() {}

    /** From now on, for the whole process. */
    static void begin() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging) {
            logging.getLogger(Logger.ROOT_LOGGER_NAME)
                    .iteratorForAppenders()
                    .forEachRemaining(QuietLog::errorsOnly);
        }
    }

    private static void errorsOnly(Appender<ILoggingEvent> appender) {
        ThresholdFilter filter = new ThresholdFilter();
        filter.setLevel("ERROR");
        filter.start();
        appender.addFilter(filter);
    }
}
