/**
 * Readers without Kafka Streams: workers of a consumer group whose effects leave the log, and tails
 * that follow a topic from its beginning.
 */
@NullMarked
package dev.millrace.log.plain;

import org.jspecify.annotations.NullMarked;
