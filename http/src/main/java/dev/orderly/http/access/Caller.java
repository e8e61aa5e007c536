package dev.orderly.http.access;

import dev.orderly.access.Identity;
import org.jspecify.annotations.Nullable;

/**
 * The identified sender of a request.
 *
 * @param address the client's address, behind trusted proxies too
 * @param csrf the token that changes of a session need; null without a session
 */
public record Caller(Identity identity, String address, @Nullable String csrf) {}
