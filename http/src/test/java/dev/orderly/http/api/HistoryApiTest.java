package dev.orderly.http.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistorySubject;
import dev.orderly.history.HistorySubject.Kind;
import dev.orderly.http.Node;
import dev.orderly.time.Time;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The history over the API. {@link Node#send} checks every answer against the OpenAPI document. */
class HistoryApiTest {
    private final Node node = new Node();
    private final Instant minute = Time.system().now().truncatedTo(ChronoUnit.MINUTES).minusSeconds(120);

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aQueueShowsItsFiguresByMinuteAndNullWhereNothingWasRecorded() {
        HistoryFigures figures = new HistoryFigures.Builder().add(HistoryFigure.PUSHED, 3).add(HistoryFigure.RUNS, 2, 4)
                .peak(HistoryFigure.WAITING, 9)
                .build();
        node.store.history().append("node", List.of(new HistoryPart(new HistorySubject(Kind.QUEUE, "emails"), minute,
                figures)));
        JsonNode hour = node.get("/queues/emails/history").json();
        int at = (int) ((minute.getEpochSecond() - hour.path("beginEpochSeconds").asLong())
                / hour.path("stepSeconds").asLong());
        assertThat(hour.at("/figures/pushed")).hasSize(60);
        assertThat(hour.at("/figures/pushed/" + at).asLong()).isEqualTo(3);
        assertThat(hour.at("/figures/done/" + at).asLong()).as("nothing was done").isZero();
        assertThat(hour.at("/figures/delayed/" + at).isNull()).as("a gauge that was not read").isTrue();
        assertThat(hour.at("/figures/waiting/" + at).asLong()).isEqualTo(9);
        assertThat(hour.at("/histograms/runs/2/" + at).asLong()).isEqualTo(4);
        assertThat(hour.at("/figures/pushed/" + (at - 1)).isNull()).isTrue();
        assertThat(hour.path("boundsMillis")).hasSize(7);
    }

    @ParameterizedTest
    @CsvSource({"hour, 60, 60", "day, 288, 300", "month, 720, 3600"})
    void aRangeHasItsNumberOfPoints(String range, int points, int step) {
        JsonNode room = node.get("/rooms/sale/history?range=" + range).json();
        assertThat(room.at("/figures/arrivals")).hasSize(points);
        assertThat(room.path("stepSeconds").asInt()).isEqualTo(step);
        assertThat(room.path("range").asString()).isEqualTo(range);
    }

    @ParameterizedTest
    @CsvSource({"/queues/nowhere/history, unknown-queue", "/queues/%20/history, unknown-queue",
            "/rooms/nowhere/history, unknown-room", "/rooms/No%20Where/history, unknown-room",
            "/rooms/sale/history?range=year, bad-request"})
    void anUnknownNameOrRangeIsRefused(String path, String problem) {
        assertThat(node.get(path).problem()).isEqualTo(problem);
    }

    @Test
    void aRoomReportsWhatHappened() {
        node.store.history().append("node", List.of(new HistoryPart(new HistorySubject(Kind.ROOM, "sale"), minute,
                new HistoryFigures.Builder().add(HistoryFigure.ARRIVALS, 3).add(HistoryFigure.ADMITTED, 2)
                        .add(HistoryFigure.WAITED_MILLIS, 8_000).add(HistoryFigure.ENTRY_WAITS, 3, 2).build())));
        JsonNode report = node.get("/rooms/sale/report?since=" + minute.minusSeconds(60)).json();
        assertThat(report.at("/total/arrivals").asLong()).isEqualTo(3);
        assertThat(report.at("/total/meanWaitMillis").asLong()).isEqualTo(4_000);
        assertThat(report.at("/total/waitP50Millis").asLong()).isEqualTo(4_000);
        assertThat(report.at("/points/1/arrivals").asLong()).isEqualTo(3);
        assertThat(report.at("/points/1/inside").isNull()).isTrue();
        assertThat(node.get("/rooms/sale/report?since=2026-01-01T00:00:00Z&until=2026-01-01T00:00:00Z").problem())
                .isEqualTo("bad-request");
        assertThat(node.get("/rooms/sale/report?since=yesterday").problem()).isEqualTo("bad-request");
        assertThat(node.get("/rooms/nowhere/report").problem()).isEqualTo("unknown-room");
    }
}
