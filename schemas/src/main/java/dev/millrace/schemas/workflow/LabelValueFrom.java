package dev.millrace.schemas.workflow;

/** A label whose value is computed at the start of the workflow. */
public record LabelValueFrom(String expression) {}
