/**
 * From text to manifests: which kinds there are, the check of their structure against the records
 * that describe them (unknown, missing and mistyped fields with their place), the rules for names,
 * and the JSON Schemas made from the same records. What a manifest means is for the engines.
 */
@NullMarked
package dev.millrace.schemas.manifest;

import org.jspecify.annotations.NullMarked;
