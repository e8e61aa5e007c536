package dev.orderly.access.store;

import dev.orderly.access.AccessToken;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A token as stores keep it.
 *
 * @param hash {@link dev.orderly.access.TokenSecret#hash}
 * @param lastUsed in milliseconds; null if the token was never used, or not yet reported
 */
public record StoredToken(AccessToken token, String hash, @Nullable Instant lastUsed) {}
