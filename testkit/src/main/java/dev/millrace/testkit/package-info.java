/**
 * What tests of every module share: a broker in this JVM, waiting for facts instead of sleeping,
 * and the way to recorded behaviour of real systems.
 */
@NullMarked
package dev.millrace.testkit;

import org.jspecify.annotations.NullMarked;
