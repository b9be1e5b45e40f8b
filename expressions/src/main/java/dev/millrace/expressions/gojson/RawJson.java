package dev.millrace.expressions.gojson;

/**
 * JSON text that is to be embedded as it is, only compacted and HTML-escaped: numbers, the order of
 * members and duplicates survive.
 *
 * @param text checked when it is embedded
 */
public record RawJson(String text) {}
