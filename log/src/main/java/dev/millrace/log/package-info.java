/**
 * The log: which topics there are and with which settings, how an installation creates and checks
 * them, and what is written to the topics that everybody shares (dead letters, status). Nothing
 * here knows an engine.
 */
@NullMarked
package dev.millrace.log;

import org.jspecify.annotations.NullMarked;
