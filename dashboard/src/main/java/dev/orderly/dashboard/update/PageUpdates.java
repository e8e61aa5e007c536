package dev.orderly.dashboard.update;

import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.LogLimit;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import dev.orderly.web.message.EventStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Updates of the pages that are open. Once a second each open page is made anew, once for all viewers of the same role
 * who look at it, and what changed in its regions is sent to them. A page whose last round is not over is left out, so
 * that a slow store is asked once at a time; at most {@value #ROUNDS_MAX} pages are made at once.
 *
 * <p>Bounds: {@value #VIEWERS_MAX} streams and {@value #PAGES_MAX} different pages; a stream ends after five minutes,
 * and the browser's next one is identified anew. Nothing runs while no page is open. Thread-safe.
 */
public final class PageUpdates implements AutoCloseable {
    static final int VIEWERS_MAX = 1_000;
    static final int PAGES_MAX = 200;
    static final int ROUNDS_MAX = 4;

    private static final Logger LOG = LoggerFactory.getLogger(PageUpdates.class);
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final Duration IDLE = Duration.ofHours(1);
    private static final Duration HARD_STOP = Duration.ofSeconds(1);

    private final Time time;
    private final Function<DashboardRequest, String> html;
    private final Function<DashboardRequest, String> frame;
    private final BackgroundLoop loop;
    private final AtomicBoolean started = new AtomicBoolean();
    private final ConcurrentHashMap<WatchedPage.Key, WatchedPage> pages = new ConcurrentHashMap<>();
    private final Semaphore viewers = new Semaphore(VIEWERS_MAX);
    private final Semaphore rounds = new Semaphore(ROUNDS_MAX);
    private final LogLimit failures;

    /**
     * @param html makes the HTML of a page; blocks on the store
     * @param frame makes the HTML of a page without content, whose regions are sent when the page cannot be made
     */
    public PageUpdates(Time time, Function<DashboardRequest, String> html,
            Function<DashboardRequest, String> frame) {
        this.time = time;
        this.frame = frame;
        this.html = html;
        this.loop = new BackgroundLoop("dashboard", time, this::round);
        this.failures = new LogLimit(LOG, time);
    }

    /**
     * Sends the updates of a page from now on, at first all its regions. Never blocks.
     *
     * @return what ends them; empty if there are too many viewers or pages already
     */
    public Optional<Runnable> watch(DashboardRequest page, EventStream stream) {
        if (!viewers.tryAcquire()) {
            return Optional.empty();
        }
        WatchedPage.Key key = WatchedPage.Key.of(page);
        WatchedPage.Viewing viewing = new WatchedPage.Viewing(stream, time.deadline(WatchedPage.LONGEST));
        WatchedPage watched = pages.compute(key, (_, there) -> {
            WatchedPage one = there == null && pages.size() < PAGES_MAX ? new WatchedPage(key) : there;
            if (one != null) {
                one.add(viewing);
            }
            return one;
        });
        if (watched == null) {
            viewers.release();
            return Optional.empty();
        }
        if (started.compareAndSet(false, true)) {
            loop.start();
        }
        loop.ring();
        AtomicBoolean ended = new AtomicBoolean();
        return Optional.of(() -> {
            if (ended.compareAndSet(false, true)) {
                pages.computeIfPresent(key, (_, there) -> there.remove(viewing) ? null : there);
                viewers.release();
            }
        });
    }

    /** Makes all open pages anew at once, after a change. Never blocks. */
    public void ring() {
        loop.ring();
    }

    private Duration round() {
        for (WatchedPage page : pages.values()) {
            if (rounds.tryAcquire()) {
                if (page.begin()) {
                    var _ = Thread.ofVirtual().name("orderly-dashboard").start(() -> update(page));
                } else {
                    rounds.release();
                }
            }
        }
        return pages.isEmpty() ? IDLE : ROUND;
    }

    private void update(WatchedPage page) {
        try {
            page.send(Regions.of(html.apply(page.request())), time);
        } catch (RefusedFormException | StoreException e) {
            page.sendFailure(Regions.of(frame.apply(page.request())), String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            failures.warn("The page {} cannot be updated: {}", page.request().path(), e.toString());
            page.sendFailure(Map.of(), "This page cannot be updated: the log of the server says why");
        } finally {
            page.end();
            rounds.release();
        }
    }

    /** Ends all streams. Idempotent. */
    @Override
    public void close() {
        loop.stop(HARD_STOP);
        pages.values().forEach(WatchedPage::close);
    }
}
