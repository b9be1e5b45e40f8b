/**
 * The whole server as its users meet it: manifests go in as they are, events come by HTTP, steps
 * really run, and what is asserted was read through the API or from the log.
 */
@NullMarked
package dev.millrace.server.endtoend;

import org.jspecify.annotations.NullMarked;
