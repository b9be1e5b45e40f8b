package dev.millrace.log.secrets;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Context;

/**
 * A pattern layout whose lines, stack traces included, pass through the redactor. In logback.xml:
 *
 * <pre>{@code
 * <encoder class="ch.qos.logback.core.encoder.LayoutWrappingEncoder">
 *   <layout class="dev.millrace.log.secrets.RedactingLayout">
 *     <pattern>%d %-5level %logger{24}: %msg%n</pattern>
 *   </layout>
 * </encoder>
 * }</pre>
 *
 * The composition root gives the redactor to Logback's context with {@link #install}, since Logback
 * makes layouts itself; till then no secret is known.
 */
public final class RedactingLayout extends PatternLayout {

    private static final String KEY = Redactor.class.getName();

    /** Makes all layouts of a logging context use this redactor. */
    public static void install(Context loggingContext, Redactor redactor) {
        loggingContext.putObject(KEY, redactor);
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        String line = super.doLayout(event);
        return getContext().getObject(KEY) instanceof Redactor redactor
                ? redactor.redact(line)
                : line;
    }
}
