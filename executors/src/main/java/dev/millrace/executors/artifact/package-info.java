/**
 * Where artifacts lie, and how they are brought to a step and taken from it. Read {@link
 * dev.millrace.executors.artifact.ArtifactStore} first (one kind of place), then {@link
 * dev.millrace.executors.artifact.ArtifactStores} (which one an artifact means), then {@link
 * dev.millrace.executors.artifact.Archiving} (what is packed and unpacked on the way).
 */
@NullMarked
package dev.millrace.executors.artifact;

import org.jspecify.annotations.NullMarked;
