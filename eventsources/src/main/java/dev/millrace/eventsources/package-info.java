@NullMarked
package dev.millrace.eventsources;

import org.jspecify.annotations.NullMarked;
