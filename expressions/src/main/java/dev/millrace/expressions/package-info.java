@NullMarked
package dev.millrace.expressions;

import org.jspecify.annotations.NullMarked;
