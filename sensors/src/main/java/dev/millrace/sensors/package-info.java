@NullMarked
package dev.millrace.sensors;

import org.jspecify.annotations.NullMarked;
