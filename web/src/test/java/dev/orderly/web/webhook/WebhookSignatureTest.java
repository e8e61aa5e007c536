package dev.orderly.web.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.web.webhook.WebhookSignature.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signing and verifying as Standard Webhooks defines. */
class WebhookSignatureTest {
    private static final WebhookSecret SECRET = WebhookSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    private static final WebhookSecret OTHER = WebhookSecret.parse("whsec_" + Base64.getEncoder().encodeToString(
            "another secret of 32 characters.".getBytes(StandardCharsets.US_ASCII)));
    private static final Instant SENT = Instant.ofEpochSecond(1614265330);
    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);

    /** The test vector of the reference libraries of Standard Webhooks. */
    @Test
    void theTestVectorOfStandardWebhooksIsReproduced() {
        WebhookSignature signature = WebhookSignature.sign(ID, SENT, BODY, List.of(SECRET));

        assertThat(signature).isEqualTo(new WebhookSignature(ID, "1614265330",
                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="));
        assertThat(signature.verify(BODY, List.of(SECRET), SENT)).isEqualTo(Verdict.VALID);
    }

    @Test
    void duringARotationEitherSecretVerifies() {
        WebhookSignature both = WebhookSignature.sign(ID, SENT, BODY, List.of(OTHER, SECRET));

        assertThat(both.signature().split(" ")).hasSize(2).allMatch(one -> one.startsWith("v1,"));
        assertThat(both.verify(BODY, List.of(SECRET), SENT)).isEqualTo(Verdict.VALID);
        assertThat(both.verify(BODY, List.of(OTHER), SENT)).isEqualTo(Verdict.VALID);
        WebhookSignature one = WebhookSignature.sign(ID, SENT, BODY, List.of(OTHER));
        assertThat(one.verify(BODY, List.of(SECRET), SENT)).isEqualTo(Verdict.FORGED);
        assertThat(one.verify(BODY, List.of(SECRET, OTHER), SENT)).isEqualTo(Verdict.VALID);
        assertThat(one.verify(BODY, List.of(), SENT)).isEqualTo(Verdict.FORGED);
    }

    @Test
    void alteredContentIsForged() {
        WebhookSignature good = WebhookSignature.sign(ID, SENT, BODY, List.of(SECRET));
        byte[] other = BODY.clone();
        other[3] ^= 1;

        assertThat(good.verify(other, List.of(SECRET), SENT)).isEqualTo(Verdict.FORGED);
        assertThat(new WebhookSignature(ID + "x", good.timestamp(), good.signature()).verify(BODY, List.of(SECRET),
                SENT)).isEqualTo(Verdict.FORGED);
        assertThat(new WebhookSignature(ID, "1614265331", good.signature()).verify(BODY, List.of(SECRET), SENT))
                .isEqualTo(Verdict.FORGED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "v1,", "v1,%%%", "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "v1,AAAA"})
    void anInvalidSignatureIsForged(String signature) {
        assertThat(new WebhookSignature(ID, "1614265330", signature).verify(BODY, List.of(SECRET), SENT))
                .isEqualTo(Verdict.FORGED);
    }

    @ParameterizedTest
    @CsvSource({"300,VALID", "301,STALE", "-300,VALID", "-301,STALE"})
    void theTimestampMayDifferByTheTolerance(int seconds, Verdict verdict) {
        WebhookSignature signature = WebhookSignature.sign(ID, SENT, BODY, List.of(SECRET));

        assertThat(signature.verify(BODY, List.of(SECRET), SENT.plusSeconds(seconds))).isEqualTo(verdict);
        assertThat(signature.verify(BODY, List.of(SECRET), SENT.plusSeconds(seconds), Duration.ofDays(1)))
                .isEqualTo(Verdict.VALID);
    }

    @Test
    void invalidHeadersAreMalformed() {
        assertThat(new WebhookSignature(ID, "soon", "v1,x").verify(BODY, List.of(SECRET), SENT))
                .isEqualTo(Verdict.MALFORMED);
        assertThat(new WebhookSignature(ID, Long.toString(Long.MAX_VALUE), "v1,x").verify(BODY, List.of(SECRET), SENT))
                .isEqualTo(Verdict.MALFORMED);
        assertThat(new WebhookSignature("", "1614265330", "v1,x").verify(BODY, List.of(SECRET), SENT))
                .isEqualTo(Verdict.MALFORMED);
        assertThat(new WebhookSignature(ID, "1614265330", "v1,x ".repeat(50)).verify(BODY, List.of(SECRET), SENT))
                .isEqualTo(Verdict.MALFORMED);
    }

    @Test
    void aSecretIsValidatedAndNeverShown() {
        assertThat(SECRET).hasToString("whsec_***");
        assertThatThrownBy(() -> WebhookSecret.parse("whsec_c2VjcmV0")).hasMessageContaining("6 bytes")
                .hasMessageNotContaining("c2VjcmV0");
        assertThatThrownBy(() -> WebhookSecret.parse("whsec_~hidden~")).hasMessageContaining("base64")
                .hasMessageNotContaining("hidden").hasNoCause();
    }
}
