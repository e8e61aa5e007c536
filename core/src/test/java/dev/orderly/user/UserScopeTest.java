package dev.orderly.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class UserScopeTest {
    private static final UserId ANN = new UserId("ann");
    private static final UserId BOB = new UserId("bob");

    @Test
    void aScopeHasItsUserAndEndsWithItsAction() {
        assertThat(UserScope.current()).isEmpty();
        assertThat(UserScope.<Optional<UserId>, RuntimeException>call(ANN, UserScope::current)).contains(ANN);
        assertThat(UserScope.current()).isEmpty();
    }

    @Test
    void anInnerScopeCountsAndMayHaveNoUser() {
        UserScope.run(ANN, () -> {
            assertThat(UserScope.<Optional<UserId>, RuntimeException>call(BOB, UserScope::current)).contains(BOB);
            assertThat(UserScope.<Optional<UserId>, RuntimeException>call(Optional.empty(), UserScope::current))
                    .isEmpty();
            assertThat(UserScope.current()).contains(ANN);
        });
    }

    @Test
    void threadsStartedInsideDoNotInheritTheScope() throws InterruptedException {
        AtomicReference<Optional<UserId>> seen = new AtomicReference<>(Optional.of(BOB));
        UserScope.<Boolean, InterruptedException>call(ANN, () -> {
            Thread thread = Thread.ofVirtual().start(() -> seen.set(UserScope.current()));
            return thread.join(Duration.ofSeconds(60));
        });
        assertThat(seen.get()).isEmpty();
    }

    @Test
    void anIdHas1To256CharactersWithoutControlCharacters() {
        assertThat(new UserId("x".repeat(256)).value()).hasSize(256);
        for (String wrong : List.of("", "x".repeat(257), "a\nb", "a\u0000", "\u0085")) {
            assertThatThrownBy(() -> new UserId(wrong)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to 256");
        }
    }
}
