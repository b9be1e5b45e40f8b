@NullMarked
package dev.millrace.schemas;

import org.jspecify.annotations.NullMarked;
