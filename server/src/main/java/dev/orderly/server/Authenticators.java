package dev.orderly.server;

import dev.orderly.config.UserConfig;
import dev.orderly.config.UserConfig.KeyLocation;
import dev.orderly.http.user.JwtAuthenticator;
import dev.orderly.http.user.TokenSource;
import dev.orderly.http.user.UserOptions;
import dev.orderly.time.Time;
import dev.orderly.web.user.Authenticator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates the check of users' tokens from the configuration. */
final class Authenticators {
    private static final int SECRET_MAX = 64 << 10;

    private Authenticators() {}

    /**
     * The check of users' tokens. Blocks on files.
     *
     * @param config null if there are no users
     * @throws StartFailed naming the variable or file, never the secret
     */
    static Authenticator of(@Nullable UserConfig config, Map<String, String> environment) {
        if (config == null) {
            return Authenticator.NONE;
        }
        TokenSource source = switch (config.place()) {
            case KeyLocation.Published(TokenSource published) -> published;
            case KeyLocation.Variable(String name) ->
                secret("variable " + name, environment.getOrDefault(name, "").getBytes(StandardCharsets.UTF_8));
            case KeyLocation.SecretFile(Path file) -> secret("file " + file, read(file));
        };
        try {
            return JwtAuthenticator.of(new UserOptions(source, config.issuer(), config.audience(), config.cookie(),
                    config.pages()), Time.system());
        } catch (IllegalArgumentException e) {
            throw new StartFailed(String.valueOf(e.getMessage()), e);
        }
    }

    private static TokenSource secret(String where, byte[] bytes) {
        if (bytes.length == 0) {
            throw new StartFailed("There is no secret of users' tokens in " + where
                    + ": put in the secret with which the issuer signs", null);
        }
        try {
            return new TokenSource.Secret(bytes);
        } catch (IllegalArgumentException e) {
            throw new StartFailed("In " + where + ": " + e.getMessage(), e);
        }
    }

    private static byte[] read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(SECRET_MAX + 1);
            if (bytes.length > SECRET_MAX) {
                throw new StartFailed("The file " + file + " with the secret of users' tokens is larger than "
                        + SECRET_MAX + " bytes: check the path", null);
            }
            Secrets.warnIfOpen(file);
            return new String(bytes, StandardCharsets.UTF_8).strip().getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new StartFailed("The file " + file + " with the secret of users' tokens cannot be read (" + e
                    + "): make it readable for this user, or name another file", e);
        }
    }
}
