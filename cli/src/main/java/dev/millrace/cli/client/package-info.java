/** Requests to a server: REST and event streams over HTTP/1.1. */
@NullMarked
package dev.millrace.cli.client;

import org.jspecify.annotations.NullMarked;
