@NullMarked
package dev.millrace.workflowengine.view;

import org.jspecify.annotations.NullMarked;
