/**
 * How a pure core is put on Kafka Streams, written once: state as typed entries of an entity,
 * timers and dedupe windows in the same store, and what happens when a core throws.
 */
@NullMarked
package dev.millrace.log.stream;

import org.jspecify.annotations.NullMarked;
