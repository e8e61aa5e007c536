package dev.orderly.access.store;

import java.util.List;

/**
 * All credentials at one moment.
 *
 * @param tokens by name
 * @param sessions in no order; each belongs to one of the tokens
 */
public record Credentials(List<StoredToken> tokens, List<LoginSession> sessions) {
    public static final Credentials NONE = new Credentials(List.of(), List.of());

    public Credentials {
        tokens = List.copyOf(tokens);
        sessions = List.copyOf(sessions);
    }
}
