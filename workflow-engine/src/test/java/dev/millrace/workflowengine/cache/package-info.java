@NullMarked
package dev.millrace.workflowengine.cache;

import org.jspecify.annotations.NullMarked;
