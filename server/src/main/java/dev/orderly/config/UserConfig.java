package dev.orderly.config;

import dev.orderly.http.user.TokenSource;
import dev.orderly.web.user.PageOrigins;
import org.jspecify.annotations.Nullable;

/**
 * The users of the file. It contains no secrets, only their places.
 *
 * @param issuer required issuer of tokens; null for any
 * @param audience required audience of tokens; null for any
 * @param cookie null if only bearer tokens count
 */
public record UserConfig(KeyLocation place, @Nullable String issuer, @Nullable String audience, @Nullable String cookie,
        PageOrigins pages) {
    /** The place of the secret or the keys that verify tokens. */
    public sealed interface KeyLocation {
        /** A secret that is shared with the issuer. */
        record Shared(SecretLocation place) implements KeyLocation {
            @Override
            public String toString() {
                return "secret in " + place;
            }
        }

        /** Keys published by an issuer. */
        record Published(TokenSource source) implements KeyLocation {
            @Override
            public String toString() {
                return "keys of " + source;
            }
        }
    }
}
