package dev.orderly.rehearsal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What a rehearsal has shown.
 *
 * @param slots ten spans of arrivals, in their order
 * @param minutes the line at each minute, and at its end
 * @param used the mean share of the capacity that was taken while visitors waited; null if nobody waited for it
 * @param shutOut visitors who still waited, or had not come, when the room closed
 * @param tiers the visitors of each tier of the room, and at last those of no tier; empty if nobody had a tier
 */
public record RehearsalReport(RehearsalCrowd crowd, List<Slot> slots, List<Minute> minutes, @Nullable Double used,
        int shutOut, List<TierWaits> tiers) {
    private static final int SLOTS = 10;

    public RehearsalReport {
        slots = List.copyOf(slots);
        minutes = List.copyOf(minutes);
        tiers = List.copyOf(tiers);
    }

    /**
     * The waits of the visitors of a tier.
     *
     * @param tier null for visitors of no tier
     * @param slots ten spans of arrivals, in their order
     */
    public record TierWaits(@Nullable String tier, List<Slot> slots) {
        public TierWaits {
            slots = List.copyOf(slots);
        }

        /** All visitors of the tier who entered, as one span. */
        public Slot all() {
            return Slot.joined(slots);
        }
    }

    /**
     * Visitors who arrived in the same span, came back and entered, with the waits of all of them in ascending order.
     *
     * @param from since the first arrival
     */
    public record Slot(Duration from, Duration to, List<Duration> waits) {
        public Slot {
            waits = List.copyOf(waits);
        }

        /** @param of the numbers of the visitors who count */
        static List<Slot> all(long[] arrivesAt, int[] waited, RehearsalCrowd crowd, IntPredicate of) {
            List<Slot> slots = new ArrayList<>();
            long span = crowd.over().toMillis();
            int next = 0;
            for (int n = 0; n < SLOTS; n++) {
                long to = span * (n + 1) / SLOTS;
                List<Duration> waits = new ArrayList<>();
                for (; next < arrivesAt.length && (arrivesAt[next] < to || n == SLOTS - 1); next++) {
                    if (of.test(next) && waited[next] >= 0) {
                        waits.add(Duration.ofSeconds(waited[next]));
                    }
                }
                waits.sort(Comparator.naturalOrder());
                slots.add(new Slot(Duration.ofMillis(span * n / SLOTS), Duration.ofMillis(to), waits));
            }
            return slots;
        }

        private static Slot joined(List<Slot> slots) {
            return new Slot(slots.getFirst().from, slots.getLast().to,
                    slots.stream().flatMap(slot -> slot.waits.stream()).sorted().toList());
        }

        /** The wait that this share of the visitors did not exceed; zero if nobody came. */
        public Duration quantile(double share) {
            return waits.isEmpty()
                    ? Duration.ZERO
                    : waits.get(Math.clamp((int) Math.ceil(share * waits.size()) - 1, 0, waits.size() - 1));
        }
    }

    /**
     * A moment.
     *
     * @param at since the first arrival
     * @param waiting visitors who are present and wait
     * @param entered since the begin
     */
    public record Minute(Duration at, int waiting, int entered) {}

    /** All visitors who entered, as one span. */
    public Slot everybody() {
        return Slot.joined(slots);
    }

    /** The waits of a tier; empty if nobody belonged to it. */
    public Optional<TierWaits> tier(@Nullable String name) {
        return tiers.stream().filter(each -> Objects.equals(each.tier, name)).findFirst();
    }

    /** The minute with the longest line. */
    public Minute longest() {
        return minutes.stream().max(Comparator.comparingInt(Minute::waiting)).orElseThrow();
    }

    /** The moment from which nobody waits any more, or the close. */
    public Duration end() {
        return minutes.getLast().at();
    }
}
