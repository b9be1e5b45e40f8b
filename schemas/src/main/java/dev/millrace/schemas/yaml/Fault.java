package dev.millrace.schemas.yaml;

/**
 * What is wrong with a text as YAML.
 *
 * @param path the member concerned; the root for faults of syntax
 * @param hint what to do, empty if there is nothing to add
 */
public record Fault(Place place, DocumentPath path, String message, String hint) {}
