/**
 * The read model: what the log says, as rows that lists and pages are read from. The projector
 * writes the rows and how far it has read in one transaction, so a repeat changes nothing and the
 * file can be deleted at any time: it is made anew from the log.
 */
@NullMarked
package dev.millrace.server.readmodel;

import org.jspecify.annotations.NullMarked;
