package dev.orderly.config;

import dev.orderly.http.user.PageOrigins;
import dev.orderly.http.user.TokenSource;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The users, as the file says who they are. Secrets are not part of it, only where they are.
 *
 * @param issuer what tokens say; null if it does not matter
 * @param audience what tokens say; null if it does not matter
 * @param cookie null if only bearer tokens count
 */
public record UserConfig(Place place, @Nullable String issuer, @Nullable String audience, @Nullable String cookie,
        PageOrigins pages) {
    /** Where what checks tokens comes from. */
    public sealed interface Place {
        /** A secret in a variable. */
        record Variable(String name) implements Place {
            @Override
            public String toString() {
                return "secret in variable " + name;
            }
        }

        /** A secret in a file. */
        record SecretFile(Path file) implements Place {
            @Override
            public String toString() {
                return "secret in " + file;
            }
        }

        /** Keys that an issuer publishes. */
        record Published(TokenSource source) implements Place {
            @Override
            public String toString() {
                return "keys of " + source;
            }
        }
    }
}
