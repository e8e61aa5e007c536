package dev.orderly.room.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.token.Pass;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What a gate remembers of passes and addresses takes bounded memory, whoever sends how much. */
class PassBoundsTest {
    private static final int BEYOND = 200_001;

    @Test
    void beyondTheBoundAllUnshownPassesAreForgotten() {
        UnshownPasses passes = new UnshownPasses(1, Time.system());
        assertThat(passes.reserve("a", visitor(0), Duration.ofHours(1))).isPresent();
        assertThat(passes.reserve("a", visitor(1), Duration.ofHours(1))).isEmpty();
        for (int number = 2; number < BEYOND + 1; number++) {
            passes.reserve("address " + number, visitor(number), Duration.ofHours(1));
        }
        passes.tidy();
        assertThat(passes.reserve("a", visitor(1), Duration.ofHours(1))).isPresent();
    }

    @Test
    void beyondTheBoundAllAddressesOfPassesAreForgotten() {
        PassAddresses addresses = new PassAddresses(1);
        assertThat(addresses.allow(pass(0), "a")).isTrue();
        assertThat(addresses.allow(pass(0), "b")).isFalse();
        for (int number = 1; number < BEYOND; number++) {
            addresses.allow(pass(number), "a");
        }
        addresses.tidy(Instant.EPOCH);
        assertThat(addresses.allow(pass(0), "b")).isTrue();
    }

    private static VisitorId visitor(int number) {
        return new VisitorId(7, number);
    }

    private static Pass pass(int number) {
        return new Pass(new RoomName("sale"), visitor(number), 1, number + 1, Duration.ZERO, Instant.EPOCH,
                Instant.EPOCH.plusSeconds(60), null);
    }
}
