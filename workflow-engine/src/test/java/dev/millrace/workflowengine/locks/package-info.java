@NullMarked
package dev.millrace.workflowengine.locks;

import org.jspecify.annotations.NullMarked;
