/**
 * What workflows went through, read from the log itself: the read model knows only how it ended.
 */
@NullMarked
package dev.millrace.server.history;

import org.jspecify.annotations.NullMarked;
