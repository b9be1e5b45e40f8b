/**
 * The state of one workflow and the fold that makes it from events. The engine's store, the read
 * model, {@code get --at}, {@code rebuild} and the tests all fold with {@link Evolution}; they
 * differ only in where they keep the entries.
 */
@NullMarked
package dev.millrace.workflowengine.state;

import org.jspecify.annotations.NullMarked;
