package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Store;
import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistoryStore;
import dev.orderly.history.HistoryStore.Scale;
import dev.orderly.history.HistorySubject;
import dev.orderly.history.HistorySubject.Kind;
import dev.orderly.testkit.contract.input.CallerThreads;
import dev.orderly.testkit.contract.input.SampleTexts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every sentence of {@link HistoryStore} as a test. A store is tested by a subclass that opens it. */
public abstract class HistoryStoreContract {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final HistorySubject MAILS = new HistorySubject(Kind.QUEUE, "mails");
    private static final HistorySubject ROOM = new HistorySubject(Kind.ROOM, "mails");
    private static final String ONE = "node-1";
    private static final String TWO = "node-2";
    private static final int WRITERS = 4;

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
    void aMinuteIsReadAsItWasAddedAndIsPartOfItsHour() {
        HistoryFigures figures = new HistoryFigures.Builder().add(HistoryFigure.PUSHED, 1)
                .add(HistoryFigure.RUN_MILLIS, Long.MAX_VALUE)
                .add(HistoryFigure.WAITS, 7, 200).peak(HistoryFigure.WAITING, 0)
                .peak(HistoryFigure.OLDEST_MILLIS, 12_345).build();
        history().append(ONE, List.of(part(MAILS, 59, figures), part(ROOM, 59, counted(7, 7)),
                part(MAILS, 60, counted(1, 1))));
        assertThat(minutes(MAILS)).isEqualTo(Map.of(at(59), figures, at(60), counted(1, 1)));
        assertThat(hours(MAILS)).isEqualTo(Map.of(NOON, figures, at(60), counted(1, 1)));
        assertThat(minutes(ROOM)).isEqualTo(Map.of(at(59), counted(7, 7)));
        assertThat(hours(ROOM)).isEqualTo(Map.of(NOON, counted(7, 7)));
        assertThat(minutes(new HistorySubject(Kind.QUEUE, "mail"))).isEmpty();
    }

    @Test
    void minutesOfSeveralSourcesAddUpAndOfPeaksTheLargestStays() {
        history().append(ONE, List.of(part(MAILS, 1, counted(3, 9))));
        history().append(TWO, List.of(part(MAILS, 1, counted(4, 5))));
        history().append(TWO, List.of(part(MAILS, 2, counted(10, 2))));
        assertThat(minutes(MAILS)).isEqualTo(Map.of(at(1), counted(7, 9), at(2), counted(10, 2)));
        assertThat(hours(MAILS)).isEqualTo(Map.of(NOON, counted(17, 9)));
    }

    @Test
    void aRepeatedMinuteOfASourceChangesNothing() {
        history().append(ONE, List.of(part(MAILS, 1, counted(3, 9))));
        history().append(ONE, List.of(part(MAILS, 1, counted(3, 9)), part(MAILS, 2, counted(1, 1))));
        history().append(ONE, List.of(part(MAILS, 1, counted(50, 50))));
        assertThat(minutes(MAILS)).isEqualTo(Map.of(at(1), counted(3, 9), at(2), counted(1, 1)));
        assertThat(hours(MAILS)).isEqualTo(Map.of(NOON, counted(4, 9)));
    }

    @Test
    void sourcesThatWriteAtTheSameTimeLoseNothing() {
        AtomicInteger source = new AtomicInteger();
        CallerThreads.all(WRITERS, 1, () -> {
            String name = "node-" + source.incrementAndGet();
            for (int minute = 0; minute < 5; minute++) {
                history().append(name, List.of(part(ROOM, minute, counted(1, 3)), part(MAILS, minute, counted(2, 4))));
            }
            return true;
        });
        assertThat(hours(MAILS)).isEqualTo(Map.of(NOON, counted(10 * WRITERS, 4)));
        assertThat(hours(ROOM)).isEqualTo(Map.of(NOON, counted(5 * WRITERS, 3)));
        assertThat(minutes(MAILS).values()).containsOnly(counted(2 * WRITERS, 4)).hasSize(5);
    }

    @Test
    void aRangeBeginsWithItsFirstMomentAndEndsBeforeItsLast() {
        history().append(ONE, IntStream.rangeClosed(0, 4).mapToObj(n -> part(MAILS, n, counted(n + 1, 0))).toList());
        assertThat(history().read(MAILS, Scale.MINUTE, at(1), at(4)).keySet()).containsExactly(at(1), at(2), at(3));
        assertThat(history().read(MAILS, Scale.MINUTE, at(1), at(1))).isEmpty();
        assertThat(history().read(MAILS, Scale.HOUR, NOON, at(60)).keySet()).containsExactly(NOON);
        assertThat(history().read(MAILS, Scale.HOUR, at(60), at(120))).isEmpty();
    }

    @Test
    void whatIsOlderThanItsMomentIsPrunedAndNothingElse() {
        history().append(ONE, IntStream.of(0, 1, 59, 60, 120).mapToObj(n -> part(MAILS, n, counted(1, n))).toList());
        history().append(TWO, List.of(part(ROOM, 0, counted(5, 5))));
        assertThat(history().prune(at(59), at(60), 100)).isEqualTo(3 + 2);
        assertThat(minutes(MAILS).keySet()).containsExactly(at(59), at(60), at(120));
        assertThat(hours(MAILS).keySet()).containsExactly(at(60), at(120));
        assertThat(minutes(ROOM)).isEmpty();
        assertThat(hours(ROOM)).isEmpty();
        assertThat(history().prune(at(59), at(60), 100)).isZero();
        assertThat(history().prune(at(121), NOON, 2)).as("the limit").isEqualTo(2);
        assertThat(minutes(MAILS)).hasSize(1);
    }

    @Test
    void anAnsweredChangeSurvivesTheDeathOfTheProcess() {
        history().append(ONE, List.of(part(MAILS, 1, counted(3, 9))));
        store = reopen(Objects.requireNonNull(store));
        assertThat(minutes(MAILS)).isEqualTo(Map.of(at(1), counted(3, 9)));
        history().append(ONE, List.of(part(MAILS, 1, counted(3, 9)), part(MAILS, 2, counted(1, 1))));
        assertThat(minutes(MAILS)).isEqualTo(Map.of(at(1), counted(3, 9), at(2), counted(1, 1)));
        assertThat(hours(MAILS)).isEqualTo(Map.of(NOON, counted(4, 9)));
    }

    @Test
    void namesAndSourcesAreKeptApartUnchanged() {
        List<String> texts = SampleTexts.all(HistorySubject.NAME_MAX).stream().filter(text -> !text.isEmpty())
                .distinct().toList();
        for (int n = 0; n < texts.size(); n++) {
            HistorySubject subject = new HistorySubject(Kind.QUEUE, texts.get(n));
            history().append(texts.get(n), List.of(part(subject, 1, counted(n + 1, 0)),
                    part(MAILS, 1, counted(1, 0))));
        }
        for (int n = 0; n < texts.size(); n++) {
            assertThat(minutes(new HistorySubject(Kind.QUEUE, texts.get(n)))).as(texts.get(n))
                    .isEqualTo(Map.of(at(1), counted(n + 1, 0)));
        }
        assertThat(minutes(MAILS)).isEqualTo(Map.of(at(1), counted(texts.size(), 0)));
    }

    @Test
    void callsBeyondTheirBoundsAreRefused() {
        HistoryPart part = part(MAILS, 1, counted(1, 1));
        for (String source : List.of("", "s".repeat(HistoryStore.SOURCE_MAX + 1), "\0")) {
            assertThatThrownBy(() -> history().append(source, List.of(part)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> history().append(ONE, List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> history().append(ONE, List.of(part, part)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("join them");
        assertThatThrownBy(() -> history().append(ONE, IntStream.rangeClosed(0, HistoryStore.PARTS_MAX)
                .mapToObj(n -> part(MAILS, n, counted(1, 1))).toList())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> history().read(MAILS, Scale.MINUTE, NOON, at(HistoryStore.SPANS_MAX + 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> history().read(MAILS, Scale.HOUR, at(1), NOON))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(minutes(MAILS)).isEmpty();
    }

    private HistoryStore history() {
        return Objects.requireNonNull(store).history();
    }

    private NavigableMap<Instant, HistoryFigures> minutes(HistorySubject subject) {
        return history().read(subject, Scale.MINUTE, NOON, at(1_000));
    }

    private NavigableMap<Instant, HistoryFigures> hours(HistorySubject subject) {
        return history().read(subject, Scale.HOUR, NOON, at(1_000));
    }

    private static Instant at(int minute) {
        return NOON.plus(Duration.ofMinutes(minute));
    }

    private static HistoryPart part(HistorySubject subject, int minute, HistoryFigures figures) {
        return new HistoryPart(subject, at(minute), figures);
    }

    private static HistoryFigures counted(long pushed, long waiting) {
        return new HistoryFigures.Builder().add(HistoryFigure.PUSHED, pushed).peak(HistoryFigure.WAITING, waiting)
                .build();
    }
}
