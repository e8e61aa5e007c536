package dev.orderly.config.reader;

import dev.orderly.config.ConfigProblem;
import dev.orderly.config.SecretLocation;
import dev.orderly.config.UserConfig;
import dev.orderly.config.UserConfig.KeyLocation;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.UserSchema;
import dev.orderly.http.user.TokenSource;
import dev.orderly.web.user.PageOrigins;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The part of {@link ConfigReader} about users. */
final class UserReader {
    private final Path folder;
    private final List<ConfigProblem> problems;

    UserReader(Path folder, List<ConfigProblem> problems) {
        this.folder = folder;
        this.problems = problems;
    }

    /** Null if the file has no users. */
    @Nullable
    UserConfig read(CheckedSection file) {
        if (!file.has(UserSchema.USERS)) {
            return null;
        }
        CheckedSection at = file.below(UserSchema.USERS);
        CheckedSection jwt = at.below(UserSchema.JWT);
        List<String> given = Stream.of(UserSchema.SECRET_ENV, UserSchema.SECRET_FILE, UserSchema.JWKS).filter(jwt::has)
                .map(KeySpec::name).toList();
        if (given.size() != 1) {
            String rule = given.isEmpty()
                    ? "The secret or the keys that verify tokens are missing"
                    : String.join(" and ", given)
                            + " are set, and only one of them can count";
            problems.add(ConfigProblem.at(jwt.path(), jwt.node().origin(), null, rule,
                    "set one of secret-env: USER_JWT_SECRET, secret-file: data/user-secret or jwks: an address or"
                            + " file"));
        }
        return place(jwt).map(place -> new UserConfig(place, jwt.value(UserSchema.ISSUER).orElse(null),
                jwt.value(UserSchema.AUDIENCE).orElse(null), jwt.value(UserSchema.COOKIE).orElse(null),
                new PageOrigins(at.values(UserSchema.ORIGINS)))).orElse(null);
    }

    private Optional<KeyLocation> place(CheckedSection jwt) {
        Optional<KeyLocation> variable = jwt.value(UserSchema.SECRET_ENV)
                .map(name -> new KeyLocation.Shared(new SecretLocation.Variable(name)));
        Optional<KeyLocation> file = jwt.value(UserSchema.SECRET_FILE)
                .map(path -> new KeyLocation.Shared(new SecretLocation.SecretFile(resolved(path))));
        Optional<KeyLocation> keys = jwt.value(UserSchema.JWKS).map(this::resolved).map(KeyLocation.Published::new);
        return variable.or(() -> file).or(() -> keys);
    }

    private TokenSource resolved(TokenSource source) {
        return source instanceof TokenSource.KeyFile(Path file) ? new TokenSource.KeyFile(resolved(file)) : source;
    }

    private Path resolved(Path path) {
        return folder.resolve(path).normalize();
    }
}
