@NullMarked
package dev.millrace.testkit;

import org.jspecify.annotations.NullMarked;
