package dev.orderly.boxoffice.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.boxoffice.shop.Payments.Receipt;
import dev.orderly.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PretendTest {
    private static final long SEED = 11;
    private final Hurry time = new Hurry();

    @Test
    void theSameSeedMakesTheSameFailures() throws InterruptedException {
        assertThat(story(SEED)).isEqualTo(story(SEED)).isNotEqualTo(story(SEED + 1));
    }

    @Test
    void aChargeWhoseAnswerWasLostIsNotRepeated() throws InterruptedException {
        int repeated = 0;
        Pretend bank = new Pretend(new Luck(SEED), time);
        for (int order = 0; order < 200; order++) {
            List<String> lost = new ArrayList<>();
            Receipt receipt = null;
            while (receipt == null) {
                try {
                    receipt = bank.charge("order-" + order, 10_00, Card.ANY);
                } catch (IOException e) {
                    lost.add(String.valueOf(e.getMessage()));
                }
            }
            boolean took = lost.contains("The bank took the money, but its answer was lost");
            assertThat(receipt.repeated()).as("order %d, seed %d", order, SEED).isEqualTo(took);
            repeated += took ? 1 : 0;
        }
        assertThat(repeated).isBetween(5, 60);
    }

    @Test
    void aFlakyCardWorksAtTheThirdAttempt() throws Exception {
        Pretend bank = new Pretend(new Luck(SEED), time);
        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThatThrownBy(() -> bank.charge("order", 1, Card.FLAKY)).isInstanceOf(IOException.class);
        }
        assertThat(bank.charge("order", 1, Card.FLAKY).repeated()).isFalse();
    }

    @Test
    void aSlowBankTakesAtLeastThreeSeconds() throws InterruptedException {
        long before = time.nanos();
        try {
            new Pretend(new Luck(SEED), time).charge("order", 1, Card.SLOW);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("The bank");
        }
        assertThat(Duration.ofNanos(time.nanos() - before)).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(5));
    }

    @Test
    void anInterruptEndsTheWait() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> new Pretend(new Luck(SEED), Time.system()).send("a@example.com", "s", "t"))
                .isInstanceOf(InterruptedException.class);
    }

    private List<String> story(long seed) throws InterruptedException {
        Pretend world = new Pretend(new Luck(seed), time);
        List<String> story = new ArrayList<>();
        for (int call = 0; call < 100; call++) {
            try {
                story.add(world.charge("order-" + call % 20, 1, Card.ANY).toString());
                world.send("buyer" + call % 20 + "@example.com", "subject", "text");
            } catch (IOException e) {
                story.add(e.toString());
            }
        }
        return story;
    }

    /** Time that passes at once: every wait ends immediately. */
    private static final class Hurry implements Time {
        private long nanos;

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void park(long deadline) {
            nanos = Math.max(nanos, deadline);
        }
    }
}
