package dev.orderly.access.store;

import dev.orderly.access.TokenName;
import java.time.Instant;
import java.util.Map;

/**
 * The latest uses of credentials that a node has seen.
 *
 * @param sessions by {@link LoginSession#hash}
 */
public record CredentialUses(Map<TokenName, Instant> tokens, Map<String, Instant> sessions) {
    public CredentialUses {
        tokens = Map.copyOf(tokens);
        sessions = Map.copyOf(sessions);
    }

    public boolean isEmpty() {
        return tokens.isEmpty() && sessions.isEmpty();
    }
}
