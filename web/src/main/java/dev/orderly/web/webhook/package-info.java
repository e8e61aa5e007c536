/** Signatures of requests to webhooks, as Standard Webhooks defines them. */
@NullMarked
package dev.orderly.web.webhook;

import org.jspecify.annotations.NullMarked;
