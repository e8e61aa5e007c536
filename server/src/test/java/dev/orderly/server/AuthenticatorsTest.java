package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.config.SecretLocation;
import dev.orderly.config.UserConfig;
import dev.orderly.config.UserConfig.KeyLocation;
import dev.orderly.http.user.TokenSource;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authenticator;
import dev.orderly.web.user.PageOrigins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthenticatorsTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void theSecretOfAVariableOrAFileChecksTokens() throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), UserServeTest.SECRET + "\n");
        assertThat(
                users(new KeyLocation.Shared(new SecretLocation.Variable("JWT")), Map.of("JWT", UserServeTest.SECRET))
                        .verify(UserServeTest.token("ada")))
                .isInstanceOf(Authentication.Known.class);
        assertThat(users(new KeyLocation.Shared(new SecretLocation.SecretFile(file)), Map.of())
                .verify(UserServeTest.token("ada")))
                .isInstanceOf(Authentication.Known.class);
        assertThat(Authenticators.of(null, Map.of()).verify(UserServeTest.token("ada")))
                .isInstanceOf(Authentication.Rejected.class);
    }

    @Test
    void aSecretThatIsMissingOrShortIsNamedByItsPlace() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "hunter2\n");
        assertThatThrownBy(() -> users(new KeyLocation.Shared(new SecretLocation.Variable("JWT")), Map.of()))
                .isInstanceOf(StartFailedException.class)
                .hasMessageContaining("variable JWT");
        assertThatThrownBy(
                () -> users(new KeyLocation.Shared(new SecretLocation.Variable("JWT")), Map.of("JWT", "hunter2")))
                .isInstanceOf(StartFailedException.class).hasMessageContaining("variable JWT")
                .hasMessageContaining("7 bytes")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> users(new KeyLocation.Shared(new SecretLocation.SecretFile(file)), Map.of()))
                .isInstanceOf(StartFailedException.class)
                .hasMessageContaining(file.toString()).hasMessageContaining("32").hasMessageNotContaining("hunter2");
        assertThatThrownBy(
                () -> users(new KeyLocation.Shared(new SecretLocation.SecretFile(folder.resolve("none"))), Map.of()))
                .isInstanceOf(StartFailedException.class).hasMessageContaining("none");
        TokenSource keys = new TokenSource.KeyFile(folder.resolve("keys.json"));
        assertThatThrownBy(() -> users(new KeyLocation.Published(keys), Map.of()))
                .isInstanceOf(StartFailedException.class)
                .hasMessageContaining("keys.json");
    }

    private static Authenticator users(KeyLocation place, Map<String, String> environment) {
        return Authenticators.of(new UserConfig(place, null, null, null, PageOrigins.OWN), environment);
    }
}
