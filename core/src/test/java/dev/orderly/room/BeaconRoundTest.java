package dev.orderly.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of rounds of drand. */
class BeaconRoundTest {
    private static final String QUICK = "https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600"
            + "c84e971/public/";
    private static final String SLOW = "https://drand.cloudflare.com/8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336"
            + "225dc172e51b2ce/public/";

    private static long number(String source, Instant at) {
        return new Beacon(source, at).round().orElseThrow().number();
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,2", "3,2", "4,3", "3000,1001"})
    void thePlaceholderIsTheFirstRoundThatIsNotEarlierThanTheMoment(long seconds, long round) {
        Instant at = Instant.ofEpochSecond(1_692_803_367 + seconds);
        assertThat(number(QUICK + "{round}", at)).isEqualTo(round);
        assertThat(new Beacon(QUICK + "{round}", at).source()).isEqualTo(QUICK + round);
    }

    @Test
    void aFractionOfASecondLaterIsTheNextRound() {
        assertThat(number(SLOW + "{round}", Instant.ofEpochSecond(1_595_431_080))).isEqualTo(2);
        assertThat(number(SLOW + "{round}", Instant.ofEpochSecond(1_595_431_080).plusMillis(1))).isEqualTo(3);
    }

    @Test
    void aRoundOfAKnownChainIsNotEarlierThanItsMoment() {
        Instant at = Instant.ofEpochSecond(1_595_431_080);
        assertThat(number(SLOW + "2", at)).isEqualTo(2);
        assertThatIllegalArgumentException().isThrownBy(() -> number(SLOW + "1", at))
                .withMessageContaining("before beacon-at");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://drand.example/public/7", "http://127.0.0.1:80/a/public/7",
            "HTTP://LOCALHOST/public/7", "http://[::1]:8080/public/7"})
    void anAddressOfAnotherChainHasItsNumber(String source) {
        assertThat(number(source, Instant.EPOCH)).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://drand.example/public/latest", "https://drand.example/public/0",
            "https://drand.example/public/07", "https://drand.example/public/1234567890123456789",
            "https://drand.example/public/7/x", "https://drand.example/public/7?a=b",
            "https://u@drand.example/public/7",
            "https://drand.example/public/7#x", "http://drand.example/public/7", "http://127.0.0.1.example/public/7",
            "https:///public/7", "https://drand.example/a b/public/7", "https://lottery.example/numbers"})
    void anyOtherAddressIsRefusedAndNamed(String source) {
        assertThatIllegalArgumentException().isThrownBy(() -> number(source, Instant.EPOCH))
                .withMessageContaining(source);
    }

    @Test
    void wordsThatNameAnAddressAreTyped() {
        assertThat(new Beacon("Lottery, see https://lottery.example/{round}", Instant.EPOCH).round()).isEmpty();
    }

    @Test
    void aRandomNumberHas64SmallDigits() {
        assertThat(BeaconRound.randomness("0a".repeat(32))).hasSize(64);
        for (String wrong : new String[]{"", "0A".repeat(32), "0a".repeat(31), "0a".repeat(33), "0g".repeat(32)}) {
            assertThatIllegalArgumentException().isThrownBy(() -> BeaconRound.randomness(wrong));
        }
    }
}
