package dev.orderly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Closing of registrations. */
class RegistrationTest {
    @Test
    void onlyTheFirstCloseEnds() {
        AtomicInteger ended = new AtomicInteger();
        Registration registration = Registration.of(ended::incrementAndGet);
        assertThat(ended).hasValue(0);
        registration.close();
        registration.close();
        assertThat(ended).hasValue(1);
    }

    @Test
    @SuppressWarnings("NullAway") // as callers without null checks do
    void nullEndsNothing() {
        assertThatThrownBy(() -> Registration.of(null)).isInstanceOf(NullPointerException.class).hasMessage("end");
    }
}
