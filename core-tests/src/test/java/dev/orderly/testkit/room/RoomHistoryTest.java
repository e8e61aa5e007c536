package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryStore.Scale;
import dev.orderly.history.HistorySubject;
import dev.orderly.history.record.HistoryRecorder;
import dev.orderly.history.record.HistorySampler;
import dev.orderly.history.record.HistoryWriter;
import dev.orderly.job.NodeId;
import dev.orderly.room.RoomObserver;
import dev.orderly.room.RoomObserver.AnnouncedWait;
import dev.orderly.room.gate.ShownTokens;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What visitors of a gate leave in the history of their room. */
class RoomHistoryTest extends RoomTest {
    private final HistoryRecorder recorder = new HistoryRecorder();
    private final Gate gate = gate(room(1), recorder);
    private final Instant noon = time.now();

    @Test
    void arrivalsAdmissionsTheLineAndRefusedTokensOfAMinuteAreInItsHistory() {
        ShownTokens inside = pass(gate.arrive());
        ShownTokens second = ticket(gate.arrive());
        ticket(gate.arrive());
        gate.arrive(new ShownTokens(List.of("made up"), List.of()));
        gate.arrive(new ShownTokens(List.of(), List.of("made up")));
        gate.engine().step();
        HistoryFigures crowded = written();
        assertThat(crowded.sum(HistoryFigure.ARRIVALS)).isEqualTo(5);
        assertThat(crowded.sum(HistoryFigure.ADMITTED)).isEqualTo(1);
        assertThat(crowded.sum(HistoryFigure.TOKENS_REFUSED)).isEqualTo(2);
        assertThat(crowded.sum(HistoryFigure.PLACES_UP_TO_10)).isEqualTo(5);
        assertThat(crowded.peak(HistoryFigure.INSIDE)).hasValue(1);
        assertThat(crowded.peak(HistoryFigure.CAPACITY)).hasValue(1);
        assertThat(crowded.peak(HistoryFigure.IN_LINE).orElse(0) + crowded.peak(HistoryFigure.DOOR).orElse(0))
                .isPositive();

        gate.room().visits().leave(inside);
        pass(3, gate);
        gate.arrive(second);
        assertThat(written().sum(HistoryFigure.ADMITTED)).as("in both minutes").isEqualTo(2);
    }

    @Test
    void anObservationOfOneOfSeveralObserversReachesAll() {
        HistoryRecorder other = new HistoryRecorder();
        RoomObserver both = RoomObserver.of(List.of(recorder, other));
        both.compared(NAME, new AnnouncedWait(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(12)));
        both.compared(NAME, new AnnouncedWait(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(21)));
        both.becameAbsent(NAME, 3);
        HistoryFigures figures = written();
        assertThat(figures.sum(HistoryFigure.ANNOUNCED)).isEqualTo(2);
        assertThat(figures.sum(HistoryFigure.KEPT)).isEqualTo(1);
        assertThat(figures.sum(HistoryFigure.ANNOUNCED_MILLIS)).isEqualTo(30_000);
        assertThat(figures.sum(HistoryFigure.FOLLOWED_MILLIS)).isEqualTo(33_000);
        assertThat(figures.sum(HistoryFigure.BECAME_ABSENT)).isEqualTo(3);
    }

    /** Writes what was recorded since the last call; the figures since noon. */
    private HistoryFigures written() {
        HistoryWriter writer = new HistoryWriter(store.history(),
                new HistorySampler(recorder, store.jobViews(), gate.engine()), time, new NodeId("n" + time.nanos()),
                Duration.ofDays(1));
        time.advance(Duration.ofSeconds(6));
        writer.close();
        return store.history().read(HistorySubject.of(NAME), Scale.MINUTE, noon, noon.plusSeconds(3_600)).values()
                .stream().reduce(HistoryFigures.NONE, HistoryFigures::plus);
    }
}
