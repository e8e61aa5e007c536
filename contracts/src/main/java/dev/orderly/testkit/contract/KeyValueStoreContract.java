package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Store;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import dev.orderly.testkit.contract.input.CallerThreads;
import dev.orderly.testkit.contract.input.SampleTexts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every sentence of {@link KeyValueStore} as a test. A store is tested by a subclass that opens it. */
public abstract class KeyValueStoreContract {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant EVENING = NOON.plus(Duration.ofHours(8));
    private static final String KEY = "lease";
    private static final int RACERS = 6;

    private @Nullable Store store;

    /** An empty store. Closed by the contract. */
    protected abstract Store open();

    /**
     * The store as a new process finds it after the process of {@code killed} was killed: nothing may be flushed or
     * signed off. The contract does not use {@code killed} again.
     */
    protected abstract Store reopen(Store killed);

    @BeforeEach
    void begin() {
        store = open();
    }

    @AfterEach
    void end() {
        Objects.requireNonNull(store).close();
    }

    @Test
    void aKeyThatWasNeverStoredHasNoValue() {
        assertThat(values().read(KEY, NOON)).isEmpty();
        assertThat(values().replace(KEY, 7, "mine", EVENING, NOON)).isEmpty();
        assertThat(values().read(KEY, NOON)).isEmpty();
    }

    @Test
    void textsAndKeysAreReadUnchanged() {
        List<String> texts = SampleTexts.all(KeyValueStore.KEY_MAX);
        for (String text : texts) {
            assertThat(values().replace(text, KeyValueStore.ABSENT, "of " + text, EVENING, NOON)).isPresent();
        }
        for (String text : texts) {
            assertThat(values().read(text, NOON)).map(StoredValue::text).contains("of " + text);
        }
        String longest = SampleTexts.longest(KeyValueStore.VALUE_MAX, 'x');
        replace(KeyValueStore.ABSENT, longest);
        assertThat(text()).isEqualTo(longest);
    }

    @Test
    void onlyTheValueThatTheCallerHasSeenIsReplaced() {
        long first = replace(KeyValueStore.ABSENT, "first");
        assertThat(values().replace(KEY, KeyValueStore.ABSENT, "other", EVENING, NOON)).isEmpty();
        long second = replace(first, "second");
        assertThat(values().replace(KEY, first, "late", EVENING, NOON)).isEmpty();
        assertThat(values().read(KEY, NOON)).contains(new StoredValue(second, "second"));
    }

    @Test
    void ofAllCallersThatSawTheSameVersionOneReplacesIt() {
        long seen = replace(KeyValueStore.ABSENT, "first");
        for (int round = 0; round < RACERS; round++) {
            long expected = seen;
            List<OptionalLong> answers = CallerThreads.all(RACERS, 1,
                    () -> values().replace(KEY, expected, "next", EVENING, NOON));
            assertThat(answers).filteredOn(OptionalLong::isPresent).hasSize(1);
            seen = values().read(KEY, NOON).orElseThrow().version();
            assertThat(answers).contains(OptionalLong.of(seen));
        }
        assertThat(CallerThreads.all(RACERS, 1,
                () -> values().replace("another", KeyValueStore.ABSENT, "first", EVENING, NOON)))
                .filteredOn(OptionalLong::isPresent).hasSize(1);
    }

    @Test
    void aValueEndsAtItsMomentAndNoOther() {
        long ended = replace(KeyValueStore.ABSENT, "mine");
        values().replace("other", KeyValueStore.ABSENT, "stays", EVENING.plusMillis(1), NOON).orElseThrow();
        assertThat(values().read(KEY, EVENING.minusMillis(1))).isPresent();
        assertThat(values().read(KEY, EVENING)).isEmpty();
        assertThat(values().replace(KEY, ended, "late", EVENING.plusSeconds(1), EVENING)).isEmpty();
        assertThat(values().replace(KEY, KeyValueStore.ABSENT, "next", EVENING.plusSeconds(1), EVENING)).isPresent();
        assertThat(values().read("other", EVENING)).map(StoredValue::text).contains("stays");
    }

    @Test
    void noVersionIsUsedTwice() {
        long first = replace(KeyValueStore.ABSENT, "same");
        long second = replace(first, "same");
        long other = values().replace("other", KeyValueStore.ABSENT, "same", EVENING, NOON).orElseThrow();
        store = reopen(Objects.requireNonNull(store));
        long anew = values().replace(KEY, KeyValueStore.ABSENT, "same", EVENING.plusSeconds(1), EVENING)
                .orElseThrow();
        assertThat(List.of(KeyValueStore.ABSENT, first, second, other, anew)).doesNotHaveDuplicates();
    }

    @Test
    void anAnsweredChangeSurvivesTheDeathOfTheProcess() {
        long version = replace(replace(KeyValueStore.ABSENT, "first"), "second");
        store = reopen(Objects.requireNonNull(store));
        assertThat(values().read(KEY, NOON)).contains(new StoredValue(version, "second"));
    }

    @Test
    void keysAndTextsBeyondTheirBoundsAreRefused() {
        for (String key : List.of("", "k".repeat(KeyValueStore.KEY_MAX + 1), "\0")) {
            assertThatThrownBy(() -> values().replace(key, KeyValueStore.ABSENT, "text", EVENING, NOON))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (String text : List.of("t".repeat(KeyValueStore.VALUE_MAX + 1), "\0")) {
            assertThatThrownBy(() -> values().replace(KEY, KeyValueStore.ABSENT, text, EVENING, NOON))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private KeyValueStore values() {
        return Objects.requireNonNull(store).keyValues();
    }

    private long replace(long seen, String text) {
        return values().replace(KEY, seen, text, EVENING, NOON).orElseThrow();
    }

    private String text() {
        return values().read(KEY, NOON).orElseThrow().text();
    }
}
