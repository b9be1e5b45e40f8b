@NullMarked
package dev.millrace.triggers;

import org.jspecify.annotations.NullMarked;
