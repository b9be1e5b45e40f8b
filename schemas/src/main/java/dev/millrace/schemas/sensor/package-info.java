/**
 * The manifest of a {@code Sensor} as records. The triggers {@code k8s}, {@code argoWorkflow},
 * {@code http} and {@code log} are typed; the others are known by name and stay trees. Meaning is
 * not here: sensors and triggers have it.
 */
@NullMarked
package dev.millrace.schemas.sensor;

import org.jspecify.annotations.NullMarked;
