package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Store;
import dev.orderly.access.AccessToken;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.access.control.Credential;
import dev.orderly.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Access on two nodes. */
class RevocationTest {
    private static final TokenName CI = new TokenName("ci");

    @Test
    void aTokenOfOneNodeCountsAtOnceOnAnotherAndEndsThereWithItsSessionsWhenRevoked() {
        try (Server.Opened first = Server.openEmpty(); Store second = PostgresStore.open(first.options())) {
            AccessControl here = control(first);
            AccessControl there = control(second);
            TokenSecret secret = TokenSecret.random(new SecureRandom());
            Credential token = Credential.Token.of(secret.text()).orElseThrow();
            assertThat(there.verify(token)).isEmpty();
            here.create(new AccessToken(CI, Role.VIEWER, Set.of(), Time.system().now(), null), secret);
            Credential session = Credential.Session.of(here.open(there.verify(token).orElseThrow(), new SecureRandom())
                    .orElseThrow());
            assertThat(there.verify(session)).isPresent();

            here.revoke(CI);

            assertThat(here.verify(token)).isEmpty();
            await().atMost(Duration.ofMinutes(1)).until(() -> there.verify(token).isEmpty());
            assertThat(there.verify(session)).isEmpty();
        }
    }

    private static AccessControl control(Store store) {
        return new AccessControl(store.credentials(), store.audit(), store.clock(Time.system()), AccessOptions.DEFAULT);
    }
}
