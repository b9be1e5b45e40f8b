/** Tests of the validation, with small manifests and with those of the field. */
@NullMarked
package dev.millrace.workflowengine.validation;

import org.jspecify.annotations.NullMarked;
