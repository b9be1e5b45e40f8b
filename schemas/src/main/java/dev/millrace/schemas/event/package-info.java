/**
 * What the manifests of event sources, sensors and event buses share, as records. A component has
 * the name of the YAML key; what only Kubernetes reads stays a free tree.
 */
@NullMarked
package dev.millrace.schemas.event;

import org.jspecify.annotations.NullMarked;
