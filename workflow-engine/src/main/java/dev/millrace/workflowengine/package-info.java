@NullMarked
package dev.millrace.workflowengine;

import org.jspecify.annotations.NullMarked;
