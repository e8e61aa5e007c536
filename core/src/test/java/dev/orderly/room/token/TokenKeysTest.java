package dev.orderly.room.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TokenKeysTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final RoomName SALE = new RoomName("sale");
    private static final Ticket TICKET = new Ticket(SALE, new VisitorId(1, 2), 3, 40, 39, NOON,
            NOON.plus(Duration.ofDays(1)));
    private static final byte[] OLD = secret(1);
    private static final byte[] NEW = secret(2);

    private static byte[] secret(long seed) {
        byte[] secret = new byte[32];
        new Random(seed).nextBytes(secret);
        return secret;
    }

    private static RoomTokens tokens(byte[]... secrets) {
        return new RoomTokens(TokenKeys.of(List.of(secrets)));
    }

    private static boolean accepts(RoomTokens tokens, String token) {
        return tokens.ticket(token, SALE, 3, NOON).isPresent();
    }

    @Test
    void aSecretIsChangedWithOverlap() {
        String old = tokens(OLD).sign(TICKET);
        String young = tokens(NEW, OLD).sign(TICKET);
        assertThat(young).isEqualTo(tokens(NEW).sign(TICKET)).isNotEqualTo(old);
        assertThat(accepts(tokens(NEW, OLD), old)).isTrue();
        assertThat(accepts(tokens(NEW, OLD), young)).isTrue();
        assertThat(accepts(tokens(OLD, NEW), young)).isTrue();
    }

    @Test
    void aTokenOfARetiredOrUnknownKeyCountsAsNone() {
        assertThat(accepts(tokens(NEW), tokens(OLD).sign(TICKET))).isFalse();
        assertThat(accepts(tokens(OLD), tokens(NEW).sign(TICKET))).isFalse();
    }

    @Test
    void eachOfEightKeysVerifies() {
        byte[][] secrets = new byte[8][];
        for (int i = 0; i < secrets.length; i++) {
            secrets[i] = secret(100 + i);
        }
        RoomTokens all = tokens(secrets);
        for (byte[] secret : secrets) {
            assertThat(accepts(all, tokens(secret).sign(TICKET))).isTrue();
        }
    }

    @Test
    void aTokenIsTheSameInEveryVersion() {
        byte[] secret = "an example that must not be used".getBytes(StandardCharsets.US_ASCII);
        assertThat(tokens(secret).sign(TICKET))
                .isEqualTo("eyJ0eXAiOiJvdCtqd3QiLCJhbGciOiJIUzI1NiIsImtpZCI6IlpZWUdlSCJ9."
                        + "eyJhdWQiOiJzYWxlIiwianRpIjoiQUFBQUFBQUFBQUVBQUFBQUFBQUFBZyIsImVwIjozLCJuIjo0MCwiYSI6MzksIm"
                        + "lhdCI6MTc5NTI2MjQwMCwiZXhwIjoxNzk1MzQ4ODAwfQ.fv7KTaZQKXxoqJ0wbNyM1MSK3_MWja2sRywj4bg1BEw");
    }

    @Test
    void derivedKeysDoNotRevealTheSecret() {
        TokenKey key = TokenKey.from(OLD);
        assertThat(key.secret().getEncoded()).isEqualTo(new Forger(OLD).key()).isNotEqualTo(OLD);
        assertThat(key.id()).isEqualTo(new Forger(OLD).id()).hasSize(6);
        assertThat(Forger.base64(OLD)).doesNotContain(key.id());
        assertThat(Forger.base64(key.secret().getEncoded())).doesNotContain(key.id());
    }

    @Test
    void aShortSecretIsRefusedAndNotPrinted() {
        byte[] weak = "correct horse battery staple 31".getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> TokenKeys.of(List.of(OLD, weak))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("Secret 2", "31 bytes", "32 random bytes")
                .message().doesNotContain("horse");
    }

    @Test
    void oneToEightDistinctSecretsAreAccepted() {
        assertThatThrownBy(() -> TokenKeys.of(List.of())).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 8");
        assertThatThrownBy(() -> TokenKeys.of(new ArrayList<>(Collections.nCopies(9, OLD))))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("9 secrets");
        assertThatThrownBy(() -> TokenKeys.of(List.of(OLD, NEW, OLD.clone())))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Secret 3")
                .hasMessageContaining("once");
    }

    @Test
    void nothingPrintsASecret() {
        TokenKeys keys = TokenKeys.of(List.of(OLD, NEW));
        assertThat(keys.toString()).isEqualTo(
                "TokenKeys[" + TokenKey.from(OLD).id() + ", " + TokenKey.from(NEW).id() + "]");
        for (byte[] secret : List.of(OLD, NEW)) {
            assertThat(keys.toString() + keys.all())
                    .doesNotContain(Base64.getEncoder().encodeToString(secret))
                    .doesNotContain(HexFormat.of().formatHex(secret));
        }
    }
}
