package dev.orderly.config;

import dev.orderly.config.UserConfig.KeyLocation;
import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Many;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.ValueType;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.http.user.TokenSource;
import dev.orderly.http.user.UserOptions;
import dev.orderly.web.user.PageOrigins;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
    private static final Pattern WEB = Pattern.compile("[A-Za-z]+://.*");

    static final KeySpec.Key<String> SECRET_ENV = new KeySpec.Key<>("secret-env",
            ValueTypes.variable("USER_JWT_SECRET"),
            one(),
            "The variable with the secret of HS256 tokens: the bytes of its text, 32 or more.");
    static final KeySpec.Key<Path> SECRET_FILE = new KeySpec.Key<>("secret-file",
            ValueTypes.path("data/user-secret"), one(),
            "The file with that secret; surrounding blanks and line ends are ignored.");
    static final KeySpec.Key<TokenSource> JWKS = new KeySpec.Key<>("jwks",
            new ValueType<>("an https address, an http one of this machine, or the path of a file", UserConfig::keys,
                    "https://id.example.com/.well-known/jwks.json"),
            one(),
            "The issuer's public keys (JWK set) for RS256, ES256 and EdDSA (Ed25519) tokens. Read again every 10"
                    + " minutes, and when a token names a key that is not among them.");
    static final KeySpec.Key<String> ISSUER = new KeySpec.Key<>("issuer",
            RoomValueTypes.text(500, "https://id.example.com"),
            any(), "The required `iss` of tokens.");
    static final KeySpec.Key<String> AUDIENCE = new KeySpec.Key<>("audience", RoomValueTypes.text(500, "shop"),
            any(),
            "The required `aud` of tokens, alone or among others.");
    static final KeySpec.Key<String> COOKIE = new KeySpec.Key<>("cookie",
            new ValueType<>("the name of a cookie", matching(UserOptions::isCookieName), "session"),
            new Absent.Depends("none: only bearer tokens count"), "The cookie that may hold the token.");
    static final Group JWT = new Group("jwt", List.of(SECRET_ENV, SECRET_FILE, JWKS, ISSUER, AUDIENCE, COOKIE),
            "Users are identified by a JWT with `sub`, the user's id, and `exp`: a bearer token, or a cookie. Exactly"
                    + " one of `secret-env`, `secret-file` and `jwks` verifies it.",
            true);
    static final Many<String> ORIGINS = new Many<>("origins",
            originType(), new Absent.Depends("none: only pages of the requested host"),
            "Other sites whose pages may act for users: use the cookie, push to routes, read users' jobs and open live"
                    + " connections (CORS, with credentials).");
    static final Group USERS = new Group("users", List.of(JWT, ORIGINS),
            "The users. A job that a user pushes belongs to that user, and is shown to nobody else.", true);

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

    /** Its line in the log, defaults included, without secrets. */
    String inForce() {
        return "tokens by " + place + ", issuer " + Objects.requireNonNullElse(issuer, "any")
                + ", audience " + Objects.requireNonNullElse(audience, "any") + ", cookie "
                + Objects.requireNonNullElse(cookie, "none") + ", origins "
                + (pages.listed().isEmpty() ? "its own" : String.join(" ", pages.listed()));
    }

    @Nullable
    static UserConfig read(CheckedSection file) {
        if (!file.has(USERS)) {
            return null;
        }
        CheckedSection at = file.below(USERS);
        CheckedSection jwt = at.below(JWT);
        List<String> given = Stream.of(SECRET_ENV, SECRET_FILE, JWKS).filter(jwt::has)
                .map(KeySpec::name).toList();
        if (given.size() != 1) {
            String rule = given.isEmpty()
                    ? "The secret or the keys that verify tokens are missing"
                    : String.join(" and ", given)
                            + " are set, and only one of them can count";
            jwt.report(rule,
                    "set one of secret-env: USER_JWT_SECRET, secret-file: data/user-secret or jwks: an address or"
                            + " file");
        }
        return place(jwt).map(place -> new UserConfig(place, jwt.value(ISSUER).orElse(null),
                jwt.value(AUDIENCE).orElse(null), jwt.value(COOKIE).orElse(null),
                new PageOrigins(at.values(ORIGINS)))).orElse(null);
    }

    private static Optional<KeyLocation> place(CheckedSection jwt) {
        Optional<KeyLocation> variable = jwt.value(SECRET_ENV)
                .map(name -> new KeyLocation.Shared(new SecretLocation.Variable(name)));
        Optional<KeyLocation> file = jwt.path(SECRET_FILE)
                .map(path -> new KeyLocation.Shared(new SecretLocation.SecretFile(path)));
        Optional<KeyLocation> keys = jwt.value(JWKS).map(source -> resolved(source, jwt))
                .map(KeyLocation.Published::new);
        return variable.or(() -> file).or(() -> keys);
    }

    private static TokenSource resolved(TokenSource source, CheckedSection at) {
        return source instanceof TokenSource.KeyFile(Path file) ? new TokenSource.KeyFile(at.resolved(file)) : source;
    }

    static ValueType<String> originType() {
        return new ValueType<>("scheme and host of a site, without a path", UserConfig::origin,
                "https://app.example.com");
    }

    private static Absent one() {
        return new Absent.Depends("one of the three");
    }

    private static Absent any() {
        return new Absent.Depends("any");
    }

    private static Function<String, Optional<String>> matching(Predicate<String> rule) {
        return text -> Optional.of(text).filter(rule);
    }

    private static Optional<TokenSource> keys(String text) {
        if (!WEB.matcher(text).matches()) {
            return ValueTypes.path("keys.json").read().apply(text).map(TokenSource.KeyFile::new);
        }
        try {
            return text.length() > 2_000 ? Optional.empty() : Optional.of(new TokenSource.KeyUrl(URI.create(text)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Optional<String> origin(String text) {
        try {
            return text.length() > 500
                    ? Optional.empty()
                    : new PageOrigins(List.of(text)).listed().stream().findFirst();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
