/**
 * How fast the engine is, and what that costs: what the load programs have in common. {@code micro}
 * holds JMH benchmarks of pure parts, {@code load} programs that start a server and give it work.
 */
@NullMarked
package dev.millrace.bench;

import org.jspecify.annotations.NullMarked;
