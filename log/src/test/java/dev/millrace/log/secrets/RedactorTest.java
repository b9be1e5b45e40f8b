package dev.millrace.log.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.junit.jupiter.api.Test;

class RedactorTest {

    private final Redactor redactor = new Redactor();

    @Test
    void valuesAndTheirBase64AreMaskedAndShortOnesAreNot() {
        redactor.register("hunter22\n");
        redactor.register("on");
        assertThat(redactor.redact("pw=hunter22, Basic aHVudGVyMjI=, aHVudGVyMjIK, on"))
                .isEqualTo("pw=***, Basic ***, ***, on");
    }

    @Test
    void aSecretInsideAnotherOneDoesNotShowTheRestOfIt() {
        redactor.register("pass");
        redactor.register("pass-the-longer");
        assertThat(redactor.redact("pass-the-longer pass")).isEqualTo("*** ***");
    }

    @Test
    void theLinesOfAKeyAreMaskedOneByOne() {
        redactor.register("-----BEGIN KEY-----\nMIIBVQ\nIBADAN\n-----END KEY-----\n");
        assertThat(redactor.redact("x MIIBVQ y")).isEqualTo("x *** y");
        assertThat(redactor.redact("-----BEGIN KEY-----")).isEqualTo("-----BEGIN KEY-----");
    }

    @Test
    void logLinesWithTheirStackTracesAreMasked() {
        redactor.register("s3cr3t");
        LoggerContext context = new LoggerContext();
        RedactingLayout.install(context, redactor);
        RedactingLayout layout = new RedactingLayout();
        layout.setContext(context);
        layout.setPattern("%msg%n%ex");
        layout.start();
        String line =
                layout.doLayout(
                        new LoggingEvent(
                                "test",
                                context.getLogger("test"),
                                Level.ERROR,
                                "token {}",
                                new IllegalStateException("bad s3cr3t"),
                                new Object[] {"s3cr3t"}));
        assertThat(line).contains("token ***").contains("bad ***").doesNotContain("s3cr3t");
    }
}
