package dev.orderly.access.control;

import dev.orderly.access.TokenSecret;
import java.util.Optional;

/** A presented credential: the hash of a secret, not verified yet. */
public sealed interface Credential {
    String hash();

    /** The token of a bearer. */
    record Token(String hash) implements Credential {
        /** The credential of a presented text; empty if the text is no token by its form. */
        public static Optional<Credential> of(String presented) {
            return TokenSecret.hashOf(presented).map(Token::new);
        }
    }

    /** The cookie of a session. */
    record Session(String hash) implements Credential {
        public static Credential of(String cookie) {
            return new Session(TokenSecret.sha256(cookie));
        }
    }
}
