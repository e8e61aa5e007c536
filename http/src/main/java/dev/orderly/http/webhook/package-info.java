/** Queues worked by POSTing each job to a URL, signed as Standard Webhooks says. */
@NullMarked
package dev.orderly.http.webhook;

import org.jspecify.annotations.NullMarked;
