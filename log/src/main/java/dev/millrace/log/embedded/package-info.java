/**
 * A real single-node Kafka broker inside this process, and the data folder that it lives in: one
 * owner, a start within seconds after any kind of stop, a guard against a full disk.
 */
@NullMarked
package dev.millrace.log.embedded;

import org.jspecify.annotations.NullMarked;
