/**
 * The HTTP interface in the shapes that the clients of this field speak. Routes read the request,
 * ask the services and render; they decide nothing.
 */
@NullMarked
package dev.millrace.server.api;

import org.jspecify.annotations.NullMarked;
