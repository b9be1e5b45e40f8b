/**
 * Tags in manifests: {@code {{name}}} and {@code {{=expression}}}. A text is parsed once into a
 * {@link dev.millrace.expressions.tag.TagTemplate}; each stage of a workflow then replaces what its
 * {@link dev.millrace.expressions.tag.Scope} knows and leaves the rest for a later stage.
 */
@NullMarked
package dev.millrace.expressions.tag;

import org.jspecify.annotations.NullMarked;
