@NullMarked
package dev.millrace.workflowengine.metrics;

import org.jspecify.annotations.NullMarked;
