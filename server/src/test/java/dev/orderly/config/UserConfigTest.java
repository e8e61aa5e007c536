package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.config.SecretLocation;
import dev.orderly.config.UserConfig.KeyLocation;
import dev.orderly.http.intake.Route;
import dev.orderly.http.user.TokenSource;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserConfigTest extends ConfigTrial {
    UserConfigTest() {
        super("store: sqlite:orderly.db\n");
    }

    @Test
    void aRouteTakesTheUserAsTheGroupAndAnOpenGroupIsAWarning() {
        List<RouteConfig> routes = valid("""
                queues: { a.fifo: {} }
                users: { jwt: { secret-env: USER_SECRET } }
                routes:
                  - { post: /mine, queue: a.fifo, users: required, group: user }
                  - { post: "/any/{group}", queue: a.fifo }
                """).jobs().routes();
        assertThat(routes.getFirst().route()).extracting(Route::users, Route::group)
                .containsExactly(Route.Users.REQUIRED, Route.Group.USER);
        assertThat(routes.getFirst().warning()).isEmpty();
        assertThat(routes.getLast().warning()).get().asString().contains("/any/{group}", "group: user");
    }

    @Test
    void aFileWithoutUsersHasNone() {
        assertThat(valid("").users()).isNull();
    }

    @Test
    void everySettingOfUsersIsRead() {
        UserConfig users = valid("""
                users:
                  jwt: { secret-env: JWT, issuer: "https://id.example", audience: shop, cookie: session }
                  origins: ["https://APP.example:443", "http://localhost:3000"]
                """).users();
        assertThat(users).isNotNull();
        assertThat(users.place()).isEqualTo(new KeyLocation.Shared(new SecretLocation.Variable("JWT")));
        assertThat(users.issuer()).isEqualTo("https://id.example");
        assertThat(users.audience()).isEqualTo("shop");
        assertThat(users.cookie()).isEqualTo("session");
        assertThat(users.pages().listed()).containsExactlyInAnyOrder("https://app.example", "http://localhost:3000");
    }

    @Test
    void keysAreAFileOfTheConfigurationsFolderOrAnAddress() {
        assertThat(place("{ jwks: keys/jwks.json }"))
                .isEqualTo(new KeyLocation.Published(new TokenSource.KeyFile(folder.resolve("keys/jwks.json"))));
        assertThat(place("{ jwks: \"https://id.example/jwks\" }"))
                .isEqualTo(new KeyLocation.Published(new TokenSource.KeyUrl(URI.create("https://id.example/jwks"))));
        assertThat(place("{ secret-file: s }"))
                .isEqualTo(new KeyLocation.Shared(new SecretLocation.SecretFile(folder.resolve("s"))));
    }

    @Test
    void aVariableMayGiveUsersToAFileWithoutThem() {
        environment.put("ORDERLY_USERS_JWT_SECRET_ENV", "JWT");
        UserConfig users = valid("").users();
        assertThat(users).isNotNull();
        assertThat(users.place()).isEqualTo(new KeyLocation.Shared(new SecretLocation.Variable("JWT")));
    }

    @Test
    void theLogNamesThePlaceOfTheSecretButNotTheSecret() {
        assertThat(valid("users: { jwt: { secret-env: JWT, cookie: session } }").inForce()).contains(
                "users: tokens by secret in variable JWT, issuer any, audience any, cookie session, origins its own");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    users: {}                                                         | users.jwt            | that verify tokens are missing
                    users: { jwt: { issuer: x } }                                     | users.jwt            | that verify tokens are missing
                    users: { origins: ["http://a"] }                                  | users.jwt            | that verify tokens are missing
                    users: { jwt: { secret-env: A, jwks: k.json } }                   | users.jwt            | only one of them
                    users: { jwt: { secret-env: ORDERLY_JWT } }                       | users.jwt.secret-env | not beginning with
                    users: { jwt: { jwks: "http://id.example/jwks" } }                | users.jwt.jwks       | https
                    users: { jwt: { secret-env: A, cookie: "a b" } }                  | users.jwt.cookie     | cookie
                    users: { jwt: { secret-env: A, secret: hush } }                   | users.jwt.secret     | no such key
                    users: { jwt: { secret-env: A }, origins: ["https://a.example/"]} | users.origins[1]     | without a path
                    """)
    void anInvalidUserSettingIsRefused(String yaml, String key, String rule) {
        assertThat(problems(yaml)).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo(key);
            assertThat(problem.rule()).containsIgnoringCase(rule);
        });
    }

    private KeyLocation place(String jwt) {
        UserConfig users = valid("users: { jwt: " + jwt + " }").users();
        if (users == null) {
            throw new AssertionError("no users");
        }
        return users.place();
    }
}
