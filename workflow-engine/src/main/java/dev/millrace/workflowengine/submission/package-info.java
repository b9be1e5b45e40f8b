/**
 * From a manifest to a submit command: references to stored templates are put in, so that later
 * edits change nothing.
 */
@NullMarked
package dev.millrace.workflowengine.submission;

import org.jspecify.annotations.NullMarked;
