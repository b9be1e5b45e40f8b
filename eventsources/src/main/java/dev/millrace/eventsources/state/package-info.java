/**
 * Who runs an entry that must run once, and how far it got. A process owns the entries whose keys
 * fall into its partitions of {@code source-state}; what it writes there stands in one transaction
 * with the events, under a transactional id that belongs to the partition, so a former owner that
 * does not know yet is fenced.
 */
@NullMarked
package dev.millrace.eventsources.state;

import org.jspecify.annotations.NullMarked;
