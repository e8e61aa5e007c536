package dev.orderly.server.alert;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.LogLimit;
import dev.orderly.http.alert.Alert;
import dev.orderly.http.alert.AlertKind;
import dev.orderly.http.alert.AlertStep;
import dev.orderly.http.alert.Observed;
import dev.orderly.http.webhook.AlertReceiver;
import dev.orderly.server.alert.SharedAlerts.Content;
import dev.orderly.server.alert.SharedAlerts.Held;
import dev.orderly.server.alert.SharedAlerts.Pending;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes conditions and delivers alerts, on the one node that holds their lease; see {@link SharedAlerts}. An alert
 * is stored before its first delivery and removed after an answer of 2xx, so it may be delivered twice, with the same
 * id, and is not lost with the node. Retries come after 5 s, then twice as long each, up to 10 minutes, for a day.
 *
 * <p>While the store does not answer, the node that held the lease last goes on from its memory, and reports that.
 */
final class AlertLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AlertLoop.class);
    private static final Duration PERIOD = Duration.ofSeconds(5);
    private static final Duration STOP = Duration.ofSeconds(12);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(5);
    private static final Duration LAST_RETRY = Duration.ofMinutes(10);
    private static final Duration GIVEN_UP = Duration.ofDays(1);
    private static final int DOUBLINGS = 7;
    /** Deliveries of one round; each takes 10 s at most, and the lease lasts longer than both. */
    private static final int AT_ONCE = 2;
    private static final String STORE = "store";

    private final SharedAlerts shared;
    private final Function<Instant, Observed> source;
    private final AlertReceiver receiver;
    private final Supplier<Instant> clock;
    private final LogLimit failures;
    private final BackgroundLoop loop;
    private @Nullable Held held;

    /**
     * A loop that is not started yet.
     *
     * @param source observes all conditions; may block, and does not throw
     * @param time measures waits
     * @param clock the store's clock
     */
    AlertLoop(SharedAlerts shared, Function<Instant, Observed> source, AlertReceiver receiver, Time time,
            Supplier<Instant> clock) {
        this.shared = shared;
        this.source = source;
        this.receiver = receiver;
        this.clock = clock;
        this.failures = new LogLimit(LOG, time);
        this.loop = new BackgroundLoop("alerts", time, this::step);
    }

    void start() {
        loop.start();
    }

    /** Lets another node take over. What was not delivered stays in the store. */
    @Override
    public void close() {
        loop.stop(STOP);
        Held last = held;
        if (last != null) {
            try {
                shared.release(last, clock.get());
            } catch (StoreException e) {
                LOG.debug("The lease of the alerts was not released: {}", e.getMessage());
            }
        }
    }

    /** One round; returns the time until the next. */
    Duration step() {
        Instant now = clock.get();
        try {
            Held taken = shared.take(held, now);
            held = taken == null ? null : shared.keep(observed(taken, now, source.apply(now)), now);
            if (held != null && delivered()) {
                held = shared.keep(held, clock.get());
            }
        } catch (StoreException e) {
            storeAway(now, e);
        }
        return PERIOD;
    }

    /** Without the store, only the node that held the lease last reports. */
    private void storeAway(Instant now, StoreException why) {
        if (held != null) {
            held = observed(held, now, new Observed().knows(AlertKind.STORE_AWAY).holds(AlertKind.STORE_AWAY, STORE,
                    "The store does not answer: " + why.getMessage()));
            delivered();
        }
    }

    private static Held observed(Held before, Instant now, Observed observed) {
        Content content = before.content();
        AlertStep step = AlertStep.tick(content.state(), now, observed, () -> UUID.randomUUID().toString());
        List<Pending> pending = new ArrayList<>(content.pending());
        step.alerts().forEach(alert -> pending.add(new Pending(alert, 0, now)));
        return new Held(before.version(), new Content(content.holder(), content.leaseUntil(), step.state(), List.of())
                .withPending(pending));
    }

    /** Delivers alerts that are due; returns whether anything changed. */
    private boolean delivered() {
        Held now = held;
        if (now == null) {
            return false;
        }
        List<Pending> left = new ArrayList<>();
        int tried = 0;
        for (Pending pending : now.content().pending()) {
            if (tried == AT_ONCE || clock.get().isBefore(pending.next())) {
                left.add(pending);
                continue;
            }
            tried++;
            Pending again = deliver(pending);
            if (again != null) {
                left.add(again);
            }
        }
        held = new Held(now.version(), now.content().withPending(left));
        return tried > 0;
    }

    /** The alert with its next time; null if it needs no further delivery. */
    private @Nullable Pending deliver(Pending pending) {
        Alert alert = pending.alert();
        String failure;
        try {
            failure = receiver.deliver(alert);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return pending;
        }
        Instant now = clock.get();
        if (failure.isEmpty()) {
            LOG.info("Alert {} {} of {}: {}", alert.kind().wire(), alert.phase(), alert.subject(), alert.detail());
            return null;
        }
        if (now.isAfter(alert.at().plus(GIVEN_UP))) {
            LOG.error("Alert {} of {} is given up after a day: {}", alert.kind().wire(), alert.subject(), failure);
            return null;
        }
        failures.warn("Alert {} of {} was not delivered and is repeated: {}", alert.kind().wire(), alert.subject(),
                failure);
        Duration wait = FIRST_RETRY.multipliedBy(1L << Math.min(pending.failures(), DOUBLINGS));
        return new Pending(alert, pending.failures() + 1,
                now.plus(wait.compareTo(LAST_RETRY) < 0 ? wait : LAST_RETRY));
    }
}
