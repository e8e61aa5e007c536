/** Webhooks: queues whose jobs are POSTed to a URL, signed as Standard Webhooks defines. */
@NullMarked
package dev.orderly.http.webhook;

import org.jspecify.annotations.NullMarked;
