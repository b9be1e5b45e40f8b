/** What real workflows became, against what the core makes of them. */
@NullMarked
package dev.millrace.workflowengine.conformance;

import org.jspecify.annotations.NullMarked;
