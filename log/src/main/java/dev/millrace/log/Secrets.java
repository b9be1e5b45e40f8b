package dev.millrace.log;

import java.util.Optional;

/** Where values of secrets come from; asked when they are used, never kept in the log. */
public interface Secrets {

    /**
     * The value of one key, as text, with one trailing newline taken off: files written by editors
     * end in one, and nobody means it.
     *
     * @return empty if there is no such secret or key
     */
    Optional<String> value(String namespace, String name, String key);
}
