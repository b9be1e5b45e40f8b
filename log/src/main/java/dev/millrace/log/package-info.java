@NullMarked
package dev.millrace.log;

import org.jspecify.annotations.NullMarked;
