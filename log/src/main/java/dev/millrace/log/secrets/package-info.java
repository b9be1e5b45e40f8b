/**
 * Where secrets and config maps come from, and the redactor that keeps secret values out of logs
 * and messages.
 */
@NullMarked
package dev.millrace.log.secrets;

import org.jspecify.annotations.NullMarked;
