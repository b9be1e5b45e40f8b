/**
 * Programs that start the engine in process, give it work and print one table row: what passed on
 * the wall clock, and what it cost. CPU time per unit of work is the figure to compare; wall times
 * say something only on a machine that does nothing else, so each row tells what others used.
 */
@NullMarked
package dev.millrace.bench.load;

import org.jspecify.annotations.NullMarked;
