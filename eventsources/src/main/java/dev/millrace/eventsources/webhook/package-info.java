/**
 * Events that arrive as HTTP requests. Listeners are shared by all entries with the same port and
 * routed by endpoint; {@link dev.millrace.eventsources.webhook.WebhookEndpoint} answers one request
 * and knows nothing of the server it came through.
 */
@NullMarked
package dev.millrace.eventsources.webhook;

import org.jspecify.annotations.NullMarked;
