package dev.orderly.http.stream;

import dev.orderly.web.message.RequestHead;
import dev.orderly.web.route.RequestRouter.Match;

/** A match whose handler reads the request and answers it by itself, on the event loop. */
public record Streamed(StreamHandler stream, RequestHead head) implements Match.ByTransport {}
