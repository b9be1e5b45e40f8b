@NullMarked
package dev.millrace.executors;

import org.jspecify.annotations.NullMarked;
