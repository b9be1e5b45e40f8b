/** Stories of workflows, told step by step, and properties that every workflow has. */
@NullMarked
package dev.millrace.workflowengine.core;

import org.jspecify.annotations.NullMarked;
