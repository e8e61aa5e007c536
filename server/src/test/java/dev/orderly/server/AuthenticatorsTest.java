package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.config.UserConfig;
import dev.orderly.config.UserConfig.Place;
import dev.orderly.http.user.Authentication;
import dev.orderly.http.user.Authenticator;
import dev.orderly.http.user.PageOrigins;
import dev.orderly.http.user.TokenSource;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthenticatorsTest {
    private static final String SECRET = "a secret of the site, 32 or more";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void theSecretOfAVariableOrAFileChecksTokens() throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), SECRET + "\n");
        assertThat(users(new Place.Variable("JWT"), Map.of("JWT", SECRET)).verify(token()))
                .isInstanceOf(Authentication.Known.class);
        assertThat(users(new Place.SecretFile(file), Map.of()).verify(token()))
                .isInstanceOf(Authentication.Known.class);
        assertThat(Authenticators.of(null, Map.of()).verify(token())).isInstanceOf(Authentication.Rejected.class);
    }

    @Test
    void aSecretThatIsMissingOrShortIsNamedByItsPlace() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "hunter2\n");
        assertThatThrownBy(() -> users(new Place.Variable("JWT"), Map.of())).isInstanceOf(StartFailed.class)
                .hasMessageContaining("variable JWT");
        assertThatThrownBy(() -> users(new Place.Variable("JWT"), Map.of("JWT", "hunter2")))
                .isInstanceOf(StartFailed.class).hasMessageContaining("variable JWT").hasMessageContaining("7 bytes")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> users(new Place.SecretFile(file), Map.of())).isInstanceOf(StartFailed.class)
                .hasMessageContaining(file.toString()).hasMessageContaining("32").hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> users(new Place.SecretFile(folder.resolve("none")), Map.of()))
                .isInstanceOf(StartFailed.class).hasMessageContaining("none");
        TokenSource keys = new TokenSource.KeyFile(folder.resolve("keys.json"));
        assertThatThrownBy(() -> users(new Place.Published(keys), Map.of())).isInstanceOf(StartFailed.class)
                .hasMessageContaining("keys.json");
    }

    private static Authenticator users(Place place, Map<String, String> environment) {
        return Authenticators.of(new UserConfig(place, null, null, null, PageOrigins.OWN), environment);
    }

    private static String token() throws JoseException {
        JsonWebSignature token = new JsonWebSignature();
        token.setAlgorithmHeaderValue(AlgorithmIdentifiers.HMAC_SHA256);
        token.setKey(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        token.setPayload("{\"sub\":\"ada\",\"exp\":" + Time.system().now().plusSeconds(600).getEpochSecond() + "}");
        return token.getCompactSerialization();
    }
}
