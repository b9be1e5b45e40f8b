/**
 * What brings events in from outside. The runtime here follows the EventSource manifests and keeps
 * one supervised entry going for each named event; one package per type knows how to connect,
 * receive and acknowledge. An event is acknowledged to its sender only after the log has it.
 */
@NullMarked
package dev.millrace.eventsources;

import org.jspecify.annotations.NullMarked;
