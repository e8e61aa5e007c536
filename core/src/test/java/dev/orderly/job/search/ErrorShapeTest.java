package dev.orderly.job.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorShapeTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "Timed out | Timed out",
            "IllegalStateException: Order 4711 has 3 lines | IllegalStateException: Order <n> has <n> lines",
            "Took 1,234.5 ms, at most -7 | Took <n> ms, at most <n>",
            "No user \"ann\" in 'shop' or `x` | No user <text> in <text> or <text>",
            "Cannot read “a b” of «c» | Cannot read <text> of <text>",
            "The store's 'key' can't be read | The store's <text> can't be read",
            "Job 01990000-0000-7000-8000-0000000000ff failed | Job <id> failed",
            "Key 0xDEADBEEF of Order@1a2b3c4d | Key <hex> of Order<hex>",
            "Digest 9f86d081884c7d65 differs | Digest <hex> differs",
            "Mail to ada@example.org bounced | Mail to <address> bounced",
            "Connection to 10.0.3.17:5432 refused | Connection to <address> refused",
            "Connection to fe80::1a2b:3c4d refused | Connection to <address> refused",
            "POST https://api.example.org/v1/orders/7?x=1 got no answer | POST <address> got no answer",
            "503 Service Unavailable | 503 Service Unavailable",
            "HTTP 404 for item 404 | HTTP 404 for item <n>",
            "Utf8 in sha256 of http2 | Utf8 in sha256 of http2",
            "Invalid face, bad decade, feedback | Invalid face, bad decade, feedback",
            "At 2026-03-01T12:00:00Z, row 7. | At <time>, row <n>.",
            "Größe 7 überschreitet 5 | Größe <n> überschreitet <n>"})
    void whatDiffersFromJobToJobIsReplaced(String summary, String shape) {
        assertThat(ErrorShape.of(summary).text()).isEqualTo(shape);
    }

    @Test
    void failuresOfOneKindHaveOneFingerprintAndOthersAnother() {
        ErrorFingerprint one = ErrorShape.of("Order 7 of \"ann\" at 10.0.0.1").fingerprint();
        assertThat(ErrorShape.of("Order 4711 of \"bob b.\" at 192.168.0.254").fingerprint()).isEqualTo(one);
        assertThat(ErrorShape.of("Order 7 for \"ann\" at 10.0.0.1").fingerprint()).isNotEqualTo(one);
        assertThat(ErrorFingerprint.parse(one.toString())).isEqualTo(one);
        assertThat(one).isNotEqualTo(ErrorFingerprint.NONE);
    }

    @Test
    void anotherTextIsNoFingerprint() {
        for (String text : List.of("", "12", "x23456789abcdef0", "0123456789abcdef0")) {
            assertThatThrownBy(() -> ErrorFingerprint.parse(text)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("16 digits");
        }
    }

    /** A summary has 500 characters at most; none may make the expression go back again and again. */
    @Test
    void noSummaryTakesLong() {
        Random random = new Random(7);
        String alphabet = "aF0:.-@'\"/_ ";
        for (int n = 0; n < 2_000; n++) {
            StringBuilder text = new StringBuilder();
            int kinds = 1 + random.nextInt(alphabet.length());
            for (int i = 0; i < 500; i++) {
                text.append(alphabet.charAt(random.nextInt(kinds)));
            }
            assertThat(ErrorShape.of(text.toString()).text()).isNotNull();
        }
    }
}
