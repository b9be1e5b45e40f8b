/**
 * Steps of {@code data} templates: listings of artifact stores, and what expressions make of them.
 */
@NullMarked
package dev.millrace.executors.data;

import org.jspecify.annotations.NullMarked;
