/** What triggers do, one class a kind: a request, a workflow, a line in the log. */
@NullMarked
package dev.millrace.triggers.action;

import org.jspecify.annotations.NullMarked;
