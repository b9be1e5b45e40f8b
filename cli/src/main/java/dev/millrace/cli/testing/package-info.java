/** Tests of workflows: what a test file says, and whether a simulated workflow does it. */
@NullMarked
package dev.millrace.cli.testing;

import org.jspecify.annotations.NullMarked;
