/**
 * The meaning of a workflow or template, checked before it is written to the log: names that lead
 * nowhere, tags that cannot be resolved, parts that contradict each other, and parts that cannot
 * run yet. Structure (unknown fields, wrong types) was checked when the manifest was read.
 */
@NullMarked
package dev.millrace.workflowengine.validation;

import org.jspecify.annotations.NullMarked;
