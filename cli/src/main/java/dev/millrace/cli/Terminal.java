package dev.millrace.cli;

import dev.millrace.cli.Surroundings.TerminalSize;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The terminal that the process runs in. */
final class Terminal {

    private static final TerminalSize USUAL = new TerminalSize(80, 24);
    private static final Pattern SIZE = Pattern.compile("(\\d{1,4}) (\\d{1,4})\\s*");

    private Terminal() {}

    /** Its size; 80 by 24 where it does not say. */
    static TerminalSize size() {
        try {
            // The JDK does not know it, and this program is wherever a terminal is.
            Process stty =
                    new ProcessBuilder("stty", "size").redirectInput(Redirect.INHERIT).start();
            String answer =
                    new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            stty.waitFor(1, TimeUnit.SECONDS);
            return parse(answer);
        } catch (IOException e) {
            return USUAL;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return USUAL;
        }
    }

    static TerminalSize parse(String answer) {
        Matcher size = SIZE.matcher(answer);
        if (!size.matches()) {
            return USUAL;
        }
        int rows = Integer.parseInt(size.group(1));
        int columns = Integer.parseInt(size.group(2));
        return rows < 2 || columns < 2 ? USUAL : new TerminalSize(columns, rows);
    }
}
