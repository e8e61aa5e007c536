package dev.orderly.rehearsal;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Visitors as they came on a recorded day.
 *
 * @param visits 1 to a million, in the order of arrivals
 * @param lost lines that the record says it lost
 */
public record RecordedCrowd(List<Visit> visits, long lost, long seed) implements RehearsalCrowd {
    /**
     * A visitor.
     *
     * @param stay the time from the first to the last request inside; negative for a visitor who never came back
     * @param tier null for none
     */
    public record Visit(Instant arrival, Duration stay, @Nullable String tier) {
        static final Duration ABSENT = Duration.ofSeconds(-1);

        boolean isAbsent() {
            return stay.isNegative();
        }
    }

    public RecordedCrowd {
        visits = visits.stream().sorted(Comparator.comparing(Visit::arrival)).toList();
    }

    /** The moment of the first arrival. */
    public Instant first() {
        return visits.getFirst().arrival();
    }

    @Override
    public int visitors() {
        return visits.size();
    }

    /** At least a second, so that it can be divided. */
    @Override
    public Duration over() {
        Duration span = Duration.between(first(), visits.getLast().arrival());
        return span.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : span;
    }

    @Override
    public List<String> tiers() {
        return visits.stream().map(Visit::tier).filter(Objects::nonNull).distinct().sorted().toList();
    }

    @Override
    public double absent() {
        return visits.stream().filter(Visit::isAbsent).count() / (double) visits.size();
    }
}
