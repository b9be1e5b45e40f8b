/**
 * The workflow core on Kafka: where commands and step results come from, where its state lies, and
 * where what it decided goes. It decides nothing itself, but for one thing: what becomes of a
 * workflow that the core cannot handle.
 */
@NullMarked
package dev.millrace.workflowengine.topology;

import org.jspecify.annotations.NullMarked;
