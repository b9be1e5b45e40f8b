/**
 * The metrics that workflows declare: what samples make of a series, what the series of several
 * partitions make together, and how that is written for Prometheus. Pure.
 */
@NullMarked
package dev.millrace.workflowengine.metrics;

import org.jspecify.annotations.NullMarked;
