/**
 * Definitions: applying, changing and deleting them, by request or from a folder that is watched.
 */
@NullMarked
package dev.millrace.server.manifests;

import org.jspecify.annotations.NullMarked;
