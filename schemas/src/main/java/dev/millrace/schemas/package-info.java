/**
 * Manifests and the records of every topic. Text comes in; out come trees with places, the check of
 * their structure, and records. What a manifest means is for the engines. Read in this order:
 * {@link dev.millrace.schemas.manifest.ManifestReader}, {@link
 * dev.millrace.schemas.yaml.YamlReader}, then the records of the kind you care about.
 */
@NullMarked
package dev.millrace.schemas;

import org.jspecify.annotations.NullMarked;
