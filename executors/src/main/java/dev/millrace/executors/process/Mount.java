package dev.millrace.executors.process;

import java.nio.file.Path;

/**
 * A place in a container's file tree where something else of this host is shown.
 *
 * @param path as the container sees it, absolute and normalized
 * @param host the folder or file on this host
 * @param readOnly whether the container may not write there
 */
record Mount(String path, Path host, boolean readOnly) {}
