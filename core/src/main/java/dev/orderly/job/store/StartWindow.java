package dev.orderly.job.store;

import dev.orderly.job.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tokens that a rate has given, in sub-windows of a sixtieth of the period: a sliding window log of bounded size. A
 * claim takes a token for each job, or as many as the job costs; the job starts within {@link #slack} of its claim or
 * is given back. A token therefore counts for the period and the slack: then no span of the period has more starts than
 * the rate allows, wherever the span begins. Immutable.
 *
 * @param slots sub-windows with tokens, in no order; fewer than 80 after {@link #take}
 */
public record StartWindow(List<Slot> slots) {
    /** No token was taken. */
    public static final StartWindow EMPTY = new StartWindow(List.of());

    private static final int PARTS = 60;
    private static final long SLACK_MIN = 500;
    private static final long SLACK_MAX = 1_000;

    public StartWindow {
        slots = List.copyOf(slots);
    }

    /**
     * A sub-window.
     *
     * @param end its end, in Unix milliseconds by the store's clock; no token of it was taken later
     * @param tokens number of tokens that were taken in it
     */
    public record Slot(long end, int tokens) {}

    /** The longest time from the claim of a job to its start: a quarter of the period, 0.5 to 1 s. */
    public static Duration slack(Limit limit) {
        return Duration.ofMillis(Math.clamp(limit.period().toMillis() / 4, SLACK_MIN, SLACK_MAX));
    }

    /** The time for which a token counts, in milliseconds. */
    public static long span(Limit limit) {
        return limit.period().plus(slack(limit)).toMillis();
    }

    /** The length of a sub-window in milliseconds. */
    public static long width(Limit limit) {
        return Math.max(1, limit.period().toMillis() / PARTS);
    }

    /** Number of tokens that count at a moment. */
    public int used(Limit limit, long now) {
        return counting(limit, now).mapToInt(Slot::tokens).sum();
    }

    /** The window after tokens were taken at a moment. */
    public StartWindow take(Limit limit, int tokens, long now) {
        long width = width(limit);
        long end = (Math.floorDiv(now, width) + 1) * width;
        List<Slot> after = new ArrayList<>();
        int own = tokens;
        for (Slot slot : counting(limit, now).toList()) {
            if (slot.end == end) {
                own += slot.tokens;
            } else {
                after.add(slot);
            }
        }
        after.add(new Slot(end, own));
        return new StartWindow(after);
    }

    /** The first moment from which another token can be taken; {@code now} if there is one. */
    public long next(Limit limit, long now) {
        return next(limit, 1, now);
    }

    /**
     * The first moment from which so many tokens can be taken; {@code now} if they can. More tokens than the rate ever
     * has are taken once no other counts: a job that was pushed under a higher rate keeps nobody waiting for ever.
     */
    public long next(Limit limit, int tokens, long now) {
        int used = used(limit, now);
        int over = Math.min(used, used - limit.starts() + tokens);
        List<Slot> sorted = counting(limit, now).sorted((one, other) -> Long.compare(one.end, other.end)).toList();
        long next = now;
        for (Slot slot : sorted) {
            if (over <= 0) {
                break;
            }
            over -= slot.tokens;
            next = slot.end + span(limit);
        }
        return next;
    }

    /** The moment from which no token counts any more; 0 if none was taken. */
    public long end(Limit limit) {
        return slots.stream().mapToLong(slot -> slot.end + span(limit)).max().orElse(0);
    }

    /**
     * The sub-windows that count. A clock that was set back may have left some in the future: their tokens were taken
     * by now. Those of a future beyond the span count no more, since they would for as long as the clock was set back.
     */
    private Stream<Slot> counting(Limit limit, long now) {
        long latest = now + width(limit);
        return slots.stream().filter(slot -> slot.end <= latest + span(limit))
                .map(slot -> slot.end > latest ? new Slot(latest, slot.tokens) : slot)
                .filter(slot -> slot.end > now - span(limit));
    }

    /** The form of a column: {@code end:tokens}, separated by spaces. */
    public String column() {
        return slots.stream().map(slot -> slot.end + ":" + slot.tokens).collect(Collectors.joining(" "));
    }

    /** Reads {@link #column}. */
    public static StartWindow ofColumn(String column) {
        return column.isEmpty() ? EMPTY : new StartWindow(Stream.of(column.split(" ", -1)).map(part -> {
            int colon = part.indexOf(':');
            return new Slot(Long.parseLong(part.substring(0, colon)), Integer.parseInt(part.substring(colon + 1)));
        }).toList());
    }
}
