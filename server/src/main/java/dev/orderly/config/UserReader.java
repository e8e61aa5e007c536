package dev.orderly.config;

import dev.orderly.config.UserConfig.Place;
import dev.orderly.http.user.PageOrigins;
import dev.orderly.http.user.TokenSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The part of {@link ConfigReader} about users. */
final class UserReader {
    private final Path folder;
    private final List<Problem> problems;

    UserReader(Path folder, List<Problem> problems) {
        this.folder = folder;
        this.problems = problems;
    }

    /** Null if the file has no users. */
    @Nullable
    UserConfig read(Settings file) {
        if (!file.has(UserTable.USERS)) {
            return null;
        }
        Settings at = file.below(UserTable.USERS);
        Settings jwt = at.below(UserTable.JWT);
        List<String> given = Stream.of(UserTable.SECRET_ENV, UserTable.SECRET_FILE, UserTable.JWKS).filter(jwt::has)
                .map(Entry::name).toList();
        if (given.size() != 1) {
            String rule = given.isEmpty()
                    ? "The secret or the keys that verify tokens are missing"
                    : String.join(" and ", given)
                            + " are set, and only one of them can count";
            problems.add(Problem.at(jwt.path(), jwt.node().origin(), null, rule,
                    "set one of secret-env: USER_JWT_SECRET, secret-file: data/user-secret or jwks: an address or"
                            + " file"));
        }
        return place(jwt).map(place -> new UserConfig(place, jwt.value(UserTable.ISSUER).orElse(null),
                jwt.value(UserTable.AUDIENCE).orElse(null), jwt.value(UserTable.COOKIE).orElse(null),
                new PageOrigins(at.values(UserTable.ORIGINS)))).orElse(null);
    }

    private Optional<Place> place(Settings jwt) {
        Optional<Place> variable = jwt.value(UserTable.SECRET_ENV).map(Place.Variable::new);
        Optional<Place> file = jwt.value(UserTable.SECRET_FILE).map(path -> new Place.SecretFile(resolved(path)));
        Optional<Place> keys = jwt.value(UserTable.JWKS).map(this::resolved).map(Place.Published::new);
        return variable.or(() -> file).or(() -> keys);
    }

    private TokenSource resolved(TokenSource source) {
        return source instanceof TokenSource.KeyFile(Path file) ? new TokenSource.KeyFile(resolved(file)) : source;
    }

    private Path resolved(Path path) {
        return folder.resolve(path).normalize();
    }
}
