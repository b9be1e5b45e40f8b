package dev.millrace.schemas.record;

/**
 * Where the start of a group's members stands: the next member and, within its loop, the next item.
 */
public record Cursor(int member, int item) {}
