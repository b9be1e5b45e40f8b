/**
 * Paths into JSON text, as tidwall/gjson reads and tidwall/sjson writes them; sensors find and
 * place their parameters with these. All of it works on the text itself, so that numbers, the order
 * of members and duplicates survive.
 */
@NullMarked
package dev.millrace.expressions.gjson;

import org.jspecify.annotations.NullMarked;
