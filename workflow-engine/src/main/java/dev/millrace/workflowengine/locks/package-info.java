/**
 * Who has which lock: one state machine for all mutexes and semaphores of an installation. A
 * request names all locks of a holder; they are granted together or not at all, by priority, then
 * age, and nobody overtakes an earlier request for the same lock.
 */
@NullMarked
package dev.millrace.workflowengine.locks;

import org.jspecify.annotations.NullMarked;
