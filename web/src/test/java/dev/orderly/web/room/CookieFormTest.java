package dev.orderly.web.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.web.header.Junk;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CookieFormTest {
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:80", "127.1.2.3:65535", "[::1]",
            "[::1]:8080", "::1", "localhost:"})
    void plainCookiesAreForLoopbackHostsWithoutTlsOnly(String host) {
        assertThat(CookieForm.of(false, host)).isEqualTo(CookieForm.LOOPBACK);
        assertThat(CookieForm.of(true, host)).isEqualTo(CookieForm.GUARDED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", ":80", "80", "example.org", "localhost.example.org", "localhost:80:80",
            "127.0.0.1.example.org", "127.0.0.1@example.org", "example.org:127.0.0.1", "1.2.3.4", "128.0.0.1",
            "[::2]", "[::1", "::1:80:x", "0.0.0.0", "localhost ", "lo", "[", "\0", "\ud83d\ude00"})
    void everyOtherHostHasGuardedCookies(String host) {
        assertThat(CookieForm.of(false, host)).isEqualTo(CookieForm.GUARDED);
        assertThat(CookieForm.of(true, host)).isEqualTo(CookieForm.GUARDED);
    }

    @Test
    void withoutAHostCookiesAreGuarded() {
        assertThat(CookieForm.of(false, null)).isEqualTo(CookieForm.GUARDED);
    }

    @Test
    void noHostThrows() {
        Junk junk = new Junk(1, List.of("localhost", "127.0.0.1", "[::1]", ":80", ":"));
        for (int i = 0; i < 20_000; i++) {
            assertThat(CookieForm.of(false, junk.next())).isNotNull();
        }
    }
}
