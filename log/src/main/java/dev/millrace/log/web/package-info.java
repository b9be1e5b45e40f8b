/** What all that speak HTTP with servers of users hold to: addresses and redirects. */
@NullMarked
package dev.millrace.log.web;

import org.jspecify.annotations.NullMarked;
