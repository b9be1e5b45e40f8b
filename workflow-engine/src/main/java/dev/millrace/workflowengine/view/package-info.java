/** How clients of the field see a workflow: the object with the node tree in its status. */
@NullMarked
package dev.millrace.workflowengine.view;

import org.jspecify.annotations.NullMarked;
