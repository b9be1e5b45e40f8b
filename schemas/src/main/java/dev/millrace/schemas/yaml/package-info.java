/**
 * YAML (and so JSON) text to JSON trees whose every member knows its line and column. Scalars are
 * read by the YAML 1.1 rules of the Go library that Kubernetes clients use, since manifests in the
 * wild were written against it: {@code on} is a boolean and {@code 0755} is 493.
 */
@NullMarked
package dev.millrace.schemas.yaml;

import org.jspecify.annotations.NullMarked;
