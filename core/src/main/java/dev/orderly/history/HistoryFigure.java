package dev.orderly.history;

import dev.orderly.history.HistorySubject.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A figure of a span of time. The codes are stored and therefore never change; a code from {@value #PEAKS} on is that
 * of a {@linkplain #isPeak peak}.
 */
public enum HistoryFigure {
    /** Jobs that this store accepted, without duplicates. */
    PUSHED(Kind.QUEUE, 1, 1, "pushed"),
    /** Attempts after the first that were claimed; the first ones are in {@link #WAITS}. */
    STARTED_AGAIN(Kind.QUEUE, 2, 1, "startedAgain"),
    /** Jobs whose handler succeeded. */
    DONE(Kind.QUEUE, 3, 1, "done"),
    /** Attempts that failed, whether the job runs again or not. */
    FAILED(Kind.QUEUE, 4, 1, "failed"),
    /** Failed attempts after which the job runs again. */
    RETRIED(Kind.QUEUE, 5, 1, "retried"),
    /** Jobs that became dead letters. */
    DEAD(Kind.QUEUE, 6, 1, "dead"),
    /** Jobs that were cancelled or discarded while they ran. */
    CANCELLED(Kind.QUEUE, 7, 1, "cancelled"),
    /** Sum of the waits of first attempts, from push to claim. */
    WAIT_MILLIS(Kind.QUEUE, 8, 1, "waitMillis"),
    /** Sum of the run times of handlers. */
    RUN_MILLIS(Kind.QUEUE, 9, 1, "runMillis"),
    /** First attempts by their wait; see {@link #BOUNDS_MILLIS}. */
    WAITS(Kind.QUEUE, 16, 8, "waits"),
    /** Runs of handlers by their time; see {@link #BOUNDS_MILLIS}. */
    RUNS(Kind.QUEUE, 24, 8, "runs"),
    /** Waiting jobs. */
    WAITING(Kind.QUEUE, 128, 1, "waiting"),
    /** Delayed jobs. */
    DELAYED(Kind.QUEUE, 129, 1, "delayed"),
    /** Running jobs, leased ones too. */
    RUNNING(Kind.QUEUE, 130, 1, "running"),
    /** Dead letters that are kept. */
    DEAD_LETTERS(Kind.QUEUE, 131, 1, "deadLetters"),
    /** Age of the oldest waiting job. */
    OLDEST_MILLIS(Kind.QUEUE, 132, 1, "oldestMillis"),

    /** Visitors who took a place, with or without a wait. */
    ARRIVALS(Kind.ROOM, 40, 1, "arrivals"),
    /** Visitors who entered. */
    ADMITTED(Kind.ROOM, 41, 1, "admitted"),
    /** Sum of the waits of the visitors who entered, from place to entry. */
    WAITED_MILLIS(Kind.ROOM, 42, 1, "waitedMillis"),
    /** Visitors who entered after a range was announced to them at the same gate. */
    ANNOUNCED(Kind.ROOM, 43, 1, "announced"),
    /** Visitors of these whose wait was inside the range. */
    KEPT(Kind.ROOM, 44, 1, "kept"),
    /** Sum of the middles of these ranges. */
    ANNOUNCED_MILLIS(Kind.ROOM, 45, 1, "announcedMillis"),
    /** Sum of the waits of the same visitors, since the announcement. */
    FOLLOWED_MILLIS(Kind.ROOM, 46, 1, "followedMillis"),
    /** Requests with tokens of which none counted. */
    TOKENS_REFUSED(Kind.ROOM, 47, 1, "tokensRefused"),
    /** Requests that were refused for another reason: see {@link dev.orderly.room.gate.RoomRefusals.Cause}. */
    REFUSED(Kind.ROOM, 48, 1, "refused"),
    /** Waiting visitors who asked for their position before, and became absent. */
    BECAME_ABSENT(Kind.ROOM, 49, 1, "becameAbsent"),
    /** Places that are not called yet. */
    IN_LINE(Kind.ROOM, 144, 1, "waiting"),
    /** Called visitors who are present. */
    DOOR(Kind.ROOM, 145, 1, "door"),
    /** Places inside that are taken. */
    INSIDE(Kind.ROOM, 146, 1, "inside"),
    /** The limit of places inside that is in force; absent without one. */
    CAPACITY(Kind.ROOM, 147, 1, "capacity"),
    /** Called visitors who have not entered and are not present. */
    NO_SHOWS(Kind.ROOM, 148, 1, "noShows");

    /**
     * Upper bounds of all but the last part of a histogram, each inclusive. The same for all histograms and never
     * changed, so that parts of nodes and versions add up.
     */
    public static final List<Long> BOUNDS_MILLIS = List.of(10L, 100L, 1_000L, 10_000L, 60_000L, 600_000L, 3_600_000L);

    /** The first code of a peak; those of sums are below it. */
    public static final int PEAKS = 128;

    private final Kind kind;
    private final int code;
    private final int width;
    private final String text;

    HistoryFigure(Kind kind, int code, int width, String text) {
        this.kind = kind;
        this.code = code;
        this.width = width;
        this.text = text;
    }

    /** The figures of one kind of subject. */
    public static List<HistoryFigure> of(Kind kind) {
        Objects.requireNonNull(kind, "kind");
        return Arrays.stream(values()).filter(figure -> figure.kind == kind).toList();
    }

    /** The part of a histogram that has a time, from 0 on. */
    public static int part(long millis) {
        int part = 0;
        while (part < BOUNDS_MILLIS.size() && millis > BOUNDS_MILLIS.get(part)) {
            part++;
        }
        return part;
    }

    /**
     * Whether the figure of a longer span is the largest of its parts, not their sum; the same holds for the parts of
     * nodes, which all see the same queue.
     */
    public boolean isPeak() {
        return code >= PEAKS;
    }

    /** Whether the figure has a part for each span of {@link #BOUNDS_MILLIS}, and one above them. */
    public boolean isHistogram() {
        return width > 1;
    }

    /** The number of values: 1, or that of the histogram's parts. */
    public int width() {
        return width;
    }

    /** The name in the API. */
    public String text() {
        return text;
    }

    /**
     * The code of a part; part 0 is the only one of a figure that is no histogram.
     *
     * @throws IllegalArgumentException if there is no such part
     */
    public int code(int part) {
        if (part < 0 || part >= width) {
            throw new IllegalArgumentException(this + " has no part " + part + ": use 0 to " + (width - 1));
        }
        return code + part;
    }
}
