package dev.orderly.history;

import dev.orderly.history.HistoryStore.Scale;
import dev.orderly.room.RoomName;
import dev.orderly.room.gate.RoomRefusals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What happened in a room in a span of time, over all gates: the sum of it, and its course.
 *
 * @param from the begin of the first point: a minute or an hour, not after what was asked for
 * @param until the end of the last point
 * @param stepSeconds the length of a point
 * @param total of all points
 * @param points without a gap, the oldest first
 * @param tiers the tiers with visitors, and at last the visitors of no tier; empty if no visitor had a tier
 */
public record RoomReport(String room, Instant from, Instant until, long stepSeconds, Total total, List<Point> points,
        List<TierVisitors> tiers) {
    /** The longest report. */
    public static final Duration LONGEST = Scale.HOUR.span().multipliedBy(HistoryStore.SPANS_MAX);

    private static final Instant LAST = Instant.parse("9999-01-01T00:00:00Z");
    private static final int POINTS_MAX = 150;
    private static final List<Duration> STEPS = Stream.of(1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440)
            .map(Duration::ofMinutes).toList();

    public RoomReport {
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(until, "until");
        Objects.requireNonNull(total, "total");
        Objects.requireNonNull(points, "points");
        Objects.requireNonNull(tiers, "tiers");
        points = List.copyOf(points);
        tiers = List.copyOf(tiers);
    }

    /** A report about a room without tiers. */
    public RoomReport(String room, Instant from, Instant until, long stepSeconds, Total total, List<Point> points) {
        this(room, from, until, stepSeconds, total, points, List.of());
    }

    /**
     * The sum of a report. Counts are those of all gates.
     *
     * @param arrivals visitors who took a place
     * @param entered visitors who entered
     * @param gaveUp waiting visitors who became absent
     * @param noShows most called visitors at once who had not entered and were not present
     * @param longestLine most places at once that were not called yet
     * @param meanWaitMillis of the visitors who entered; null if nobody did
     * @param waitP50Millis the wait that half of them did not exceed, to about 20 %; null if it is not known
     * @param waitP95Millis the wait that 95 % did not exceed, as above
     * @param announced visitors who entered after a range was announced to them
     * @param kept visitors of these whose wait was inside the range
     * @param tokensRefused requests with tickets or passes of which none counted
     * @param refused requests that were refused for another reason
     * @param refusals all refusals by cause, the most first
     * @param places places by how many their network had taken before
     */
    public record Total(long arrivals, long entered, long gaveUp, long noShows, long longestLine,
            @Nullable Long meanWaitMillis, @Nullable Long waitP50Millis, @Nullable Long waitP95Millis, long announced,
            long kept, long tokensRefused, long refused, List<Refused> refusals, Places places) {
        public Total {
            Objects.requireNonNull(refusals, "refusals");
            Objects.requireNonNull(places, "places");
            refusals = List.copyOf(refusals);
        }

        static Total of(HistoryFigures figures) {
            long entered = figures.sum(HistoryFigure.ADMITTED);
            return new Total(figures.sum(HistoryFigure.ARRIVALS), entered, figures.sum(HistoryFigure.BECAME_ABSENT),
                    figures.peak(HistoryFigure.NO_SHOWS).orElse(0), figures.peak(HistoryFigure.IN_LINE).orElse(0),
                    entered == 0 ? null : figures.sum(HistoryFigure.WAITED_MILLIS) / entered, millis(figures, 0.5),
                    millis(figures, 0.95), figures.sum(HistoryFigure.ANNOUNCED), figures.sum(HistoryFigure.KEPT),
                    figures.sum(HistoryFigure.TOKENS_REFUSED), figures.sum(HistoryFigure.REFUSED),
                    Stream.of(RoomRefusals.Cause.values()).map(cause -> Refused.of(cause, figures))
                            .filter(refused -> refused.count() > 0)
                            .sorted(Comparator.comparingLong(Refused::count).reversed()).toList(),
                    Places.of(figures));
        }
    }

    /**
     * The visitors of a tier.
     *
     * @param tier null for visitors of no tier
     * @param arrivals visitors who took a place in its line
     * @param invited visitors of these who used an invitation
     * @param entered visitors who entered
     * @param waitP50Millis the wait that half of them did not exceed, to about 20 %; null if it is not known
     * @param waitP95Millis the wait that 95 % did not exceed, as above
     * @param announced visitors who entered after a range was announced to them
     * @param kept visitors of these whose wait was inside the range
     * @param points the course, without gauges; as many as those of the report
     */
    public record TierVisitors(@Nullable String tier, long arrivals, long invited, long entered,
            @Nullable Long waitP50Millis, @Nullable Long waitP95Millis, long announced, long kept,
            List<Point> points) {
        public TierVisitors {
            Objects.requireNonNull(points, "points");
            points = List.copyOf(points);
        }

        private static TierVisitors of(@Nullable String tier, HistoryFigures figures, List<Point> points) {
            return new TierVisitors(tier, figures.sum(HistoryFigure.ARRIVALS), figures.sum(HistoryFigure.INVITED),
                    figures.sum(HistoryFigure.ADMITTED), millis(figures, 0.5), millis(figures, 0.95),
                    figures.sum(HistoryFigure.ANNOUNCED), figures.sum(HistoryFigure.KEPT), points);
        }
    }

    /**
     * The refusals of a cause.
     *
     * @param cause the name of a {@link RoomRefusals.Cause}, as the API writes it
     */
    public record Refused(String cause, long count) {
        public Refused {
            Objects.requireNonNull(cause, "cause");
        }

        private static Refused of(RoomRefusals.Cause cause, HistoryFigures figures) {
            return new Refused(cause.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    figures.sum(HistoryFigure.refused(cause)));
        }
    }

    /**
     * Places by how many the network of their address had taken before at the same gate, in the present hour of the
     * gate and the one before. No address is recorded.
     *
     * @param upTo10 the first ten of each network
     * @param upTo100 from the 11th to the 100th
     * @param upTo1000 from the 101st to the 1,000th
     * @param more beyond
     */
    public record Places(long upTo10, long upTo100, long upTo1000, long more) {
        private static Places of(HistoryFigures figures) {
            return new Places(figures.sum(HistoryFigure.PLACES_UP_TO_10), figures.sum(HistoryFigure.PLACES_UP_TO_100),
                    figures.sum(HistoryFigure.PLACES_UP_TO_1000), figures.sum(HistoryFigure.PLACES_MORE));
        }

        public long all() {
            return upTo10 + upTo100 + upTo1000 + more;
        }
    }

    /**
     * A point of the course. Gauges are null where no node recorded anything.
     *
     * @param waiting most places that were not called yet
     * @param inside most places inside that were taken
     * @param capacity greatest limit of places inside
     */
    public record Point(Instant at, long arrivals, long entered, long gaveUp, @Nullable Long waiting,
            @Nullable Long inside, @Nullable Long capacity, @Nullable Long waitP50Millis,
            @Nullable Long waitP95Millis) {
        public Point {
            Objects.requireNonNull(at, "at");
        }

        static Point of(Instant at, HistoryFigures figures) {
            return new Point(at, figures.sum(HistoryFigure.ARRIVALS), figures.sum(HistoryFigure.ADMITTED),
                    figures.sum(HistoryFigure.BECAME_ABSENT), peak(figures, HistoryFigure.IN_LINE),
                    peak(figures, HistoryFigure.INSIDE), peak(figures, HistoryFigure.CAPACITY), millis(figures, 0.5),
                    millis(figures, 0.95));
        }
    }

    /**
     * Reads a report: by minutes of the last day, by hours of earlier times. Reads the store once, and once for each
     * tier; blocks.
     *
     * @param now decides whether minutes are still kept
     * @throws IllegalArgumentException if the span is not positive, or longer than {@link #LONGEST}
     * @throws dev.orderly.store.StoreException if the store does not answer
     */
    static RoomReport read(HistoryStore store, RoomName room, List<String> tiers, Instant from, Instant until,
            Instant now) {
        Duration asked = Duration.between(from, until);
        if (!asked.isPositive() || asked.compareTo(LONGEST) > 0 || from.isBefore(Instant.EPOCH)
                || until.isAfter(LAST)) {
            throw new IllegalArgumentException("A report from " + from + " until " + until
                    + " has no time, or too much: use a span of up to " + LONGEST.toDays()
                    + " days, of the years 1970 to 9998");
        }
        Scale scale = from.isBefore(now.minus(Duration.ofDays(1))) || asked.compareTo(Duration.ofDays(1)) > 0
                ? Scale.HOUR
                : Scale.MINUTE;
        Duration step = STEPS.stream()
                .filter(each -> each.compareTo(scale.span()) >= 0 && asked.dividedBy(each) <= POINTS_MAX)
                .findFirst().orElse(STEPS.getLast());
        Instant begin = floor(from, scale.span());
        Instant end = floor(until.plus(scale.span()).minusNanos(1), scale.span());
        NavigableMap<Instant, HistoryFigures> spans = store.read(HistorySubject.of(room), scale, begin, end);
        Course course = new Course(begin, end, step);
        List<TierVisitors> byTier = new ArrayList<>();
        NavigableMap<Instant, HistoryFigures> others = spans;
        for (String tier : tiers) {
            NavigableMap<Instant, HistoryFigures> own = store.read(HistorySubject.of(room, tier), scale, begin, end);
            if (!own.isEmpty()) {
                byTier.add(TierVisitors.of(tier, joined(own), course.of(own)));
                others = without(others, own);
            }
        }
        if (!byTier.isEmpty()) {
            byTier.add(TierVisitors.of(null, joined(others), course.of(others)));
        }
        return new RoomReport(room.value(), begin, end, step.toSeconds(), Total.of(joined(spans)), course.of(spans),
                byTier);
    }

    /** The points of a report. */
    private record Course(Instant begin, Instant end, Duration step) {
        List<Point> of(NavigableMap<Instant, HistoryFigures> spans) {
            List<Point> points = new ArrayList<>();
            for (Instant at = begin; at.isBefore(end); at = at.plus(step)) {
                points.add(Point.of(at, joined(spans.subMap(at, true, at.plus(step), false))));
            }
            return points;
        }
    }

    /** What is left of figures without those of a tier. */
    private static NavigableMap<Instant, HistoryFigures> without(NavigableMap<Instant, HistoryFigures> all,
            NavigableMap<Instant, HistoryFigures> tier) {
        NavigableMap<Instant, HistoryFigures> rest = new TreeMap<>();
        all.forEach((at, figures) -> rest.put(at,
                figures.without(tier.getOrDefault(at, HistoryFigures.NONE))));
        return rest;
    }

    private static HistoryFigures joined(NavigableMap<Instant, HistoryFigures> spans) {
        return spans.values().stream().reduce(HistoryFigures.NONE, HistoryFigures::plus);
    }

    private static Instant floor(Instant at, Duration span) {
        return Instant.ofEpochSecond(Math.floorDiv(at.getEpochSecond(), span.toSeconds()) * span.toSeconds());
    }

    private static @Nullable Long millis(HistoryFigures figures, double share) {
        return figures.quantile(HistoryFigure.ENTRY_WAITS, share).map(Duration::toMillis).orElse(null);
    }

    private static @Nullable Long peak(HistoryFigures figures, HistoryFigure of) {
        return figures.peak(of).isPresent() ? figures.peak(of).getAsLong() : null;
    }
}
