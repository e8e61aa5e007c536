package dev.orderly.server;

import dev.orderly.config.SecretLocation;
import dev.orderly.config.UserConfig;
import dev.orderly.config.UserConfig.KeyLocation;
import dev.orderly.http.user.JwtAuthenticator;
import dev.orderly.http.user.TokenSource;
import dev.orderly.http.user.UserOptions;
import dev.orderly.time.Time;
import dev.orderly.web.user.Authenticator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates the check of users' tokens from the configuration. */
final class Authenticators {
    private Authenticators() {}

    /**
     * The check of users' tokens. Blocks on files.
     *
     * @param config null if there are no users
     * @throws StartFailedException naming the variable or file, never the secret
     */
    static Authenticator of(@Nullable UserConfig config, Map<String, String> environment) {
        if (config == null) {
            return Authenticator.NONE;
        }
        TokenSource source = switch (config.place()) {
            case KeyLocation.Published(TokenSource published) -> published;
            case KeyLocation.Shared(SecretLocation place) -> secret(place, environment);
        };
        try {
            return JwtAuthenticator.of(new UserOptions(source, config.issuer(), config.audience(), config.cookie(),
                    config.pages()), Time.system());
        } catch (IllegalArgumentException e) {
            throw new StartFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    private static TokenSource secret(SecretLocation place, Map<String, String> environment) {
        try {
            return new TokenSource.Secret(SharedSecrets.read(place, environment, "users' tokens"));
        } catch (IllegalArgumentException e) {
            throw new StartFailedException("In " + place + ": " + e.getMessage(), e);
        }
    }
}
