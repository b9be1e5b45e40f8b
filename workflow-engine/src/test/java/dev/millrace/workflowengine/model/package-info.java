/**
 * A slow and obvious model of what a workflow's tree must be, and the play of random workflows in
 * which the core has to agree with it on every node.
 */
@NullMarked
package dev.millrace.workflowengine.model;

import org.jspecify.annotations.NullMarked;
