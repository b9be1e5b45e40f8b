/** Values taken from events and put into templates, resources and payloads. */
@NullMarked
package dev.millrace.triggers.parameter;

import org.jspecify.annotations.NullMarked;
