/**
 * JMH benchmarks of the pure parts that every workflow passes through. One thread does nothing but
 * the part, so the time is CPU time as long as the machine is quiet; the bytes allocated per
 * operation hold on a busy one, too.
 */
@NullMarked
package dev.millrace.bench.micro;

import org.jspecify.annotations.NullMarked;
