package dev.orderly.access.control;

import dev.orderly.access.TokenSecret;
import java.util.Objects;
import java.util.Optional;

/** A presented credential: the hash of a secret, not verified yet. */
public sealed interface Credential {
    String hash();

    /** The token of a bearer. */
    record Token(String hash) implements Credential {
        public Token {
            Objects.requireNonNull(hash, "hash");
        }

        /** The credential of a presented text; empty if the text is no token by its form. */
        public static Optional<Credential> of(String presented) {
            Objects.requireNonNull(presented, "presented");
            return TokenSecret.hashOf(presented).map(Token::new);
        }
    }

    /** The cookie of a session. */
    record Session(String hash) implements Credential {
        public Session {
            Objects.requireNonNull(hash, "hash");
        }

        public static Credential of(String cookie) {
            Objects.requireNonNull(cookie, "cookie");
            return new Session(TokenSecret.sha256(cookie));
        }
    }
}
