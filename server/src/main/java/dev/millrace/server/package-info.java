@NullMarked
package dev.millrace.server;

import org.jspecify.annotations.NullMarked;
