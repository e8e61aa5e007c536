package dev.orderly.store.watch;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.Lifecycle;
import dev.orderly.store.StoreException;
import dev.orderly.store.StorePart;
import dev.orderly.text.DurationText;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether each part of a store answers this node: probed by a write on a thread of its own, every two seconds where the
 * part is shared, every five where it is this node's own. A probe that has taken two seconds counts as not answered, so
 * an outage is known after four seconds, or seven. Thread-safe; every answer but {@link #checkOwn} comes from memory.
 */
public final class StoreWatch {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final Duration OWN_PERIOD = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration STOP = Duration.ofSeconds(1);
    /**
     * After an outage, the time in which late heartbeats, rounds and reports may still come from it. Longer than the
     * longest bound of {@link dev.orderly.Orderly#stalls}.
     */
    private static final Duration RECOVERY = Duration.ofSeconds(65);

    private final Time time;
    private final List<WatchedPart> parts;
    private final AtomicBoolean started = new AtomicBoolean();

    /**
     * A part that does not answer.
     *
     * @param since begin of the first probe that was not answered
     * @param lasting the time since then
     * @param reason a sentence of the part, or that there was no answer
     */
    public record Outage(StorePart part, Instant since, Duration lasting, String reason) {
        public Outage {
            Objects.requireNonNull(part, "part");
            Objects.requireNonNull(since, "since");
            Objects.requireNonNull(lasting, "lasting");
            Objects.requireNonNull(reason, "reason");
        }

        /** A line that names no address, for health pages that ask for no token. */
        public String line() {
            return "The " + part.content().title() + " has not answered for " + DurationText.rounded(lasting)
                    + ", so that "
                    + part.content().text() + " are out of reach; the reason is in the log";
        }
    }

    /** @param lifecycle its start begins the probes, its end stops them; both are idempotent */
    public StoreWatch(List<StorePart> parts, Time time, Lifecycle lifecycle) {
        Objects.requireNonNull(parts, "parts");
        Objects.requireNonNull(lifecycle, "lifecycle");
        this.time = Objects.requireNonNull(time, "time");
        this.parts = parts.stream().map(WatchedPart::new).toList();
        lifecycle.of(this::start, this::stop);
    }

    /** The parts of the store, 1 or 2. */
    public List<StorePart> parts() {
        return parts.stream().map(watched -> watched.part).toList();
    }

    /** The parts that do not answer now; empty before the first probe. */
    public List<Outage> outages() {
        return parts.stream().map(WatchedPart::outage).flatMap(Optional::stream).toList();
    }

    /** The outages of parts that other nodes share. */
    public List<Outage> sharedOutages() {
        return outages().stream().filter(outage -> outage.part.shared()).toList();
    }

    /**
     * Whether an outage of a shared part explains why heartbeats, rounds and reports of this node are late: one lasts,
     * or has ended so lately that they may not have caught up.
     */
    public boolean explainsDelays() {
        return parts.stream().anyMatch(watched -> watched.part.shared() && watched.isAwayOrWasLately());
    }

    /**
     * Probes the parts that are this node's own. Blocks.
     *
     * @throws StoreException if one cannot be written
     */
    public void checkOwn() {
        parts.stream().map(watched -> watched.part).filter(part -> !part.shared())
                .forEach(part -> part.probe().run());
    }

    private void start() {
        if (started.compareAndSet(false, true)) {
            parts.forEach(watched -> watched.loop.start());
        }
    }

    private void stop() {
        parts.forEach(watched -> watched.loop.stop(STOP));
    }

    /** A part with its probes. Its loop is the only writer. */
    private final class WatchedPart {
        private final StorePart part;
        private final BackgroundLoop loop;
        /** The probe under way; null between two. */
        private volatile @Nullable Moment probing;
        private volatile @Nullable Failure failure;
        /** The monotonic time of the end of the last outage; null before the first. */
        private volatile @Nullable Long ended;

        WatchedPart(StorePart part) {
            this.part = part;
            this.loop = new BackgroundLoop("store-watch-" + part.content().name().toLowerCase(Locale.ROOT),
                    time, this::round);
        }

        private Duration round() {
            Moment begun = new Moment(time.now(), time.nanos());
            probing = begun;
            try {
                part.probe().run();
                answered(begun);
            } catch (StoreException e) {
                failed(begun, String.valueOf(e.getMessage()));
            } finally {
                probing = null;
            }
            return part.shared() ? PERIOD : OWN_PERIOD;
        }

        private void answered(Moment begun) {
            Failure before = failure;
            if (before == null && age(begun).compareTo(PATIENCE) <= 0) {
                return;
            }
            Moment since = before == null ? begun : before.since;
            ended = time.nanos();
            failure = null;
            LOG.info("The {} at {} answers again, after {}", part.content().title(), part.name(),
                    DurationText.rounded(age(since)));
        }

        private void failed(Moment begun, String reason) {
            Failure before = failure;
            failure = new Failure(before == null ? begun : before.since, reason);
            if (before == null) {
                LOG.warn("The {} at {} does not answer, so that {} are out of reach: {}", part.content().title(),
                        part.name(), part.content().text(), reason);
            }
        }

        private Optional<Outage> outage() {
            Moment pending = probing;
            Failure known = failure;
            if (known == null && pending != null && age(pending).compareTo(PATIENCE) > 0) {
                known = new Failure(pending, "A write to " + part.name() + " has not been answered");
            }
            return Optional.ofNullable(known)
                    .map(found -> new Outage(part, found.since.at, age(found.since), found.reason));
        }

        private boolean isAwayOrWasLately() {
            Long end = ended;
            return outage().isPresent() || (end != null && time.nanos() - end < RECOVERY.toNanos());
        }

        private Duration age(Moment moment) {
            return Duration.ofNanos(Math.max(0, time.nanos() - moment.nanos));
        }
    }

    private record Moment(Instant at, long nanos) {}

    private record Failure(Moment since, String reason) {}
}
