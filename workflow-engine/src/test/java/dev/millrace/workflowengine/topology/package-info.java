/**
 * The shell of the workflow core: alone with a driver of topologies, and with a broker and a step
 * executor of the tests.
 */
@NullMarked
package dev.millrace.workflowengine.topology;

import org.jspecify.annotations.NullMarked;
