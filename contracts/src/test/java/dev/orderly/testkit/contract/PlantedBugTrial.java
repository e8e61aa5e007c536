package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A contract proves something only if it fails for stores that break it. A subclass has a static method {@code bugs}
 * with pairs of a bug and the test that must find it.
 *
 * @param <B> the bugs
 * @param <C> the contract
 */
abstract class PlantedBugTrial<B extends Enum<B>, C> {
    /** A test of a contract. */
    @FunctionalInterface
    interface Check<C> {
        void of(C contract) throws Exception;
    }

    /** A bug, and a test that must find it. */
    record Planted<B extends Enum<B>, C>(B bug, Check<C> check) {
        @Override
        public String toString() {
            return bug.name();
        }
    }

    /** The constant for a store without a bug. */
    abstract B none();

    /** Runs the check, as JUnit would, on the contract of a store with the bug. */
    abstract void run(B bug, Check<C> check) throws Exception;

    @ParameterizedTest
    @MethodSource("bugs")
    void aPlantedBugIsCaught(Planted<B, C> planted) {
        assertThat(catchThrowable(() -> run(planted.bug(), planted.check()))).isInstanceOfAny(AssertionError.class,
                RuntimeException.class);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void theSameCheckSucceedsWithoutTheBug(Planted<B, C> planted) {
        assertThatCode(() -> run(none(), planted.check())).doesNotThrowAnyException();
    }
}
