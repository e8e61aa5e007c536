package dev.orderly.config;

import dev.orderly.http.user.TokenSource;
import dev.orderly.web.user.PageOrigins;
import java.nio.file.Path;
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
        /** A secret in a variable. */
        record Variable(String name) implements KeyLocation {
            @Override
            public String toString() {
                return "secret in variable " + name;
            }
        }

        /** A secret in a file. */
        record SecretFile(Path file) implements KeyLocation {
            @Override
            public String toString() {
                return "secret in " + file;
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
