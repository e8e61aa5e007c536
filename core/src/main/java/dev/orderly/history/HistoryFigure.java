package dev.orderly.history;

import dev.orderly.history.HistorySubject.Kind;
import dev.orderly.room.crowd.PlaceBand;
import dev.orderly.room.gate.RoomRefusals;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A figure of a span of time. The codes are stored and therefore never change; a code from {@value #PEAKS} on is that
 * of a {@linkplain #isPeak peak}.
 */
public enum HistoryFigure {
    PUSHED(Kind.QUEUE, 1, 1, "pushed", "Jobs that were accepted, without duplicates."),
    STARTED_AGAIN(Kind.QUEUE, 2, 1, "startedAgain",
            "Attempts after the first that were claimed; the first ones are in the histogram of waits."),
    DONE(Kind.QUEUE, 3, 1, "done", "Jobs whose handler succeeded."),
    FAILED(Kind.QUEUE, 4, 1, "failed", "Attempts that failed."),
    RETRIED(Kind.QUEUE, 5, 1, "retried", "Failed attempts after which the job runs again."),
    DEAD(Kind.QUEUE, 6, 1, "dead", "Jobs that became dead letters by a failed attempt."),
    CANCELLED(Kind.QUEUE, 7, 1, "cancelled", "Jobs that were cancelled or discarded while they ran."),
    WAIT_MILLIS(Kind.QUEUE, 8, 1, "waitMillis", "Sum of the waits of first attempts, from push to claim."),
    RUN_MILLIS(Kind.QUEUE, 9, 1, "runMillis", "Sum of the run times of handlers."),
    /** First attempts by their wait; see {@link #boundsMillis}. */
    WAITS(Kind.QUEUE, 16, 8, "waits", "First attempts by their wait: a column for each part."),
    /** Runs of handlers by their time; see {@link #boundsMillis}. */
    RUNS(Kind.QUEUE, 24, 8, "runs", "Runs of handlers by their time: a column for each part."),
    WAITING(Kind.QUEUE, 128, 1, "waiting", "Most waiting jobs."),
    DELAYED(Kind.QUEUE, 129, 1, "delayed", "Most delayed jobs."),
    RUNNING(Kind.QUEUE, 130, 1, "running", "Most running jobs."),
    DEAD_LETTERS(Kind.QUEUE, 131, 1, "deadLetters", "Most dead letters that are kept."),
    OLDEST_MILLIS(Kind.QUEUE, 132, 1, "oldestMillis", "Greatest age of the oldest waiting job."),

    ARRIVALS(Kind.ROOM, 40, 1, "arrivals", "Visitors who took a place, with or without a wait."),
    ADMITTED(Kind.ROOM, 41, 1, "admitted", "Visitors who entered."),
    WAITED_MILLIS(Kind.ROOM, 42, 1, "waitedMillis", "Sum of their waits."),
    ANNOUNCED(Kind.ROOM, 43, 1, "announced", "Visitors who entered after a range was announced to them."),
    KEPT(Kind.ROOM, 44, 1, "kept", "Visitors of these whose wait was inside the range."),
    ANNOUNCED_MILLIS(Kind.ROOM, 45, 1, "announcedMillis", "Sum of the middles of these ranges."),
    FOLLOWED_MILLIS(Kind.ROOM, 46, 1, "followedMillis", "Sum of the waits of the same visitors."),
    TOKENS_REFUSED(Kind.ROOM, 47, 1, "tokensRefused", "Requests with tickets or passes of which none counted."),
    /** Requests that were refused for another reason: see {@link dev.orderly.room.gate.RoomRefusals.Cause}. */
    REFUSED(Kind.ROOM, 48, 1, "refused", "Requests that were refused for another reason."),
    BECAME_ABSENT(Kind.ROOM, 49, 1, "becameAbsent", "Waiting visitors who became absent."),
    REFUSED_JOINS(Kind.ROOM, 82, 1, "refusedJoinsPerAddress", "Refused by joins-per-address."),
    REFUSED_UNTAKEN(Kind.ROOM, 83, 1, "refusedUntakenPerAddress", "Refused by untaken-per-address."),
    REFUSED_ADDRESSES(Kind.ROOM, 84, 1, "refusedAddressesPerPass", "Refused by addresses-per-pass."),
    REFUSED_FORWARDED(Kind.ROOM, 85, 1, "refusedForwardedForNotTrusted",
            "Requests with X-Forwarded-For of a peer that is no trusted proxy."),
    REFUSED_MODE(Kind.ROOM, 86, 1, "refusedMode", "Refused by the mode of the room."),
    REFUSED_STORE(Kind.ROOM, 87, 1, "refusedStore", "Refused as the store was out of reach."),
    REFUSED_CHECK(Kind.ROOM, 88, 1, "refusedByCheck", "Refused by the check."),
    SLOWED_CHECK(Kind.ROOM, 89, 1, "slowedByCheck", "Visitors to whom the check gave a wait before a place."),
    FAILED_CHECK(Kind.ROOM, 90, 1, "failedChecks", "Visitors on whom the check gave no verdict."),
    ASKED_WORK(Kind.ROOM, 91, 1, "askedForWork", "Visitors who were asked for work or a wait before a place."),
    PLACES_UP_TO_10(Kind.ROOM, 92, 1, "placesUpTo10", "Places of networks that had taken fewer than 10 before."),
    PLACES_UP_TO_100(Kind.ROOM, 93, 1, "placesUpTo100", "Places of networks that had taken 10 to 99 before."),
    PLACES_UP_TO_1000(Kind.ROOM, 94, 1, "placesUpTo1000", "Places of networks that had taken 100 to 999 before."),
    PLACES_MORE(Kind.ROOM, 95, 1, "placesMore", "Places of networks that had taken 1,000 or more before."),
    REFUSED_SIGN_IN(Kind.ROOM, 96, 1, "refusedNotSignedIn", "Visitors without a place, since they were not signed in."),
    SHARED_PLACES(Kind.ROOM, 97, 1, "sharedPlaces", "Requests of users for a second place, answered with the first."),
    INVITED(Kind.ROOM, 98, 1, "invited", "Places that were taken by an invitation."),
    /** Visitors who entered, by their wait; see {@link #boundsMillis}. */
    ENTRY_WAITS(Kind.ROOM, 56, 26, "entryWaits", "Visitors who entered, by their wait: a column for each part."),
    IN_LINE(Kind.ROOM, 144, 1, "waiting", "Most places that were not called yet."),
    DOOR(Kind.ROOM, 145, 1, "door", "Most called visitors who were present."),
    INSIDE(Kind.ROOM, 146, 1, "inside", "Most places inside that were taken."),
    CAPACITY(Kind.ROOM, 147, 1, "capacity", "Greatest limit of places inside that was in force; null without one."),
    NO_SHOWS(Kind.ROOM, 148, 1, "noShows", "Most called visitors who had not entered and were not present.");

    private static final List<Long> OF_QUEUES = List.of(10L, 100L, 1_000L, 10_000L, 60_000L, 600_000L, 3_600_000L);
    /** From a second to four hours. */
    private static final List<Long> OF_ROOMS = Stream.of(1, 2, 3, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 420,
            600, 900, 1_200, 1_800, 2_700, 3_600, 5_400, 7_200, 14_400).map(seconds -> seconds * 1_000L).toList();

    /** The first code of a peak; those of sums are below it. */
    public static final int PEAKS = 128;

    private final Kind kind;
    private final int code;
    private final int width;
    private final String text;
    private final String sentence;

    HistoryFigure(Kind kind, int code, int width, String text, String sentence) {
        this.kind = kind;
        this.code = code;
        this.width = width;
        this.text = text;
        this.sentence = sentence;
    }

    /** The figures of one kind of subject. */
    public static List<HistoryFigure> of(Kind kind) {
        Objects.requireNonNull(kind, "kind");
        return Arrays.stream(values()).filter(figure -> figure.kind == kind).toList();
    }

    /** The refusals of a cause. */
    public static HistoryFigure refused(RoomRefusals.Cause cause) {
        return switch (cause) {
            case JOINS_PER_ADDRESS -> REFUSED_JOINS;
            case UNTAKEN_PER_ADDRESS -> REFUSED_UNTAKEN;
            case ADDRESSES_PER_PASS -> REFUSED_ADDRESSES;
            case FORWARDED_FOR_NOT_TRUSTED -> REFUSED_FORWARDED;
            case TOKEN -> TOKENS_REFUSED;
            case CHECK_REFUSED -> REFUSED_CHECK;
            case CHECK_SLOWED -> SLOWED_CHECK;
            case CHECK_FAILED -> FAILED_CHECK;
            case PROOF_OF_WORK -> ASKED_WORK;
            case NOT_SIGNED_IN -> REFUSED_SIGN_IN;
            case ONE_PER_USER -> SHARED_PLACES;
            case MODE -> REFUSED_MODE;
            case STORE -> REFUSED_STORE;
        };
    }

    /** The places of a band. */
    public static HistoryFigure places(PlaceBand band) {
        return switch (band) {
            case UP_TO_10 -> PLACES_UP_TO_10;
            case UP_TO_100 -> PLACES_UP_TO_100;
            case UP_TO_1000 -> PLACES_UP_TO_1000;
            case MORE -> PLACES_MORE;
        };
    }

    /**
     * Upper bounds of all but the last part of the histograms of a kind, each inclusive. Never changed, so that parts
     * of nodes and versions add up.
     */
    public static List<Long> boundsMillis(Kind kind) {
        Objects.requireNonNull(kind, "kind");
        return kind == Kind.QUEUE ? OF_QUEUES : OF_ROOMS;
    }

    /** As {@link #boundsMillis(Kind)}, for the kind of this figure. */
    public List<Long> boundsMillis() {
        return boundsMillis(kind);
    }

    /** The part of this histogram that has a time, from 0 on. */
    public int part(long millis) {
        List<Long> bounds = boundsMillis();
        int part = 0;
        while (part < bounds.size() && millis > bounds.get(part)) {
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

    /** Whether the figure has a part for each span of {@link #boundsMillis}, and one above them. */
    public boolean isHistogram() {
        return width > 1;
    }

    /** The number of values: 1, or that of the histogram's parts. */
    public int width() {
        return width;
    }

    /** What the figure counts, sums up or measures. */
    public String sentence() {
        return sentence;
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
