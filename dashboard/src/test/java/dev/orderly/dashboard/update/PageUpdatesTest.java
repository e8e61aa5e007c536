package dev.orderly.dashboard.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.operate.Caller;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.ManualTime;
import dev.orderly.web.message.EventStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PageUpdatesTest {
    private final ManualTime time = new ManualTime();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicReference<String> html = new AtomicReference<>(region("one", "1") + region("two", "2"));
    private final PageUpdates updates = new PageUpdates(time, _ -> {
        made.incrementAndGet();
        return html.get();
    }, _ -> "");

    @AfterEach
    void close() {
        updates.close();
    }

    @Test
    void aNewViewerGetsAllRegionsAndThenOnlyWhatChanged() {
        Received received = new Received();
        updates.watch(page("/queues", Role.VIEWER), received);
        await().until(() -> !received.texts().isEmpty());
        assertThat(received.texts().getFirst()).contains("\"id\":\"one\"", "\"id\":\"two\"");
        html.set(region("one", "1") + region("two", "3"));
        rounds(() -> received.texts().stream().anyMatch(text -> text.contains("\"html\":\"3\"")));
        assertThat(received.texts().stream().filter(text -> text.contains("\"html\":\"3\""))).hasSize(1)
                .noneMatch(text -> text.contains("\"one\""));
        rounds(() -> received.texts().getLast().equals("event: beat\ndata:\n\n"));
    }

    @Test
    void viewersOfOneRoleShareTheWorkAndEndedOnesCostNothing() {
        List<Received> viewers = List.of(new Received(), new Received(), new Received());
        List<Runnable> ends = viewers.stream().map(viewer -> updates.watch(page("/", Role.VIEWER), viewer)
                .orElseThrow()).toList();
        rounds(() -> viewers.stream().allMatch(viewer -> viewer.texts().size() > 3));
        assertThat(made.get()).isLessThanOrEqualTo(viewers.getFirst().texts().size() + 1);
        ends.forEach(Runnable::run);
        time.advance(Duration.ofSeconds(1));
        int after = made.get();
        time.advance(Duration.ofSeconds(5));
        assertThat(made.get()).isEqualTo(after);
    }

    @Test
    void aPageWhoseLastRoundIsNotOverIsLeftOut() throws InterruptedException {
        CountDownLatch slow = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        try (PageUpdates stuck = new PageUpdates(time, _ -> {
            begun.incrementAndGet();
            awaitUninterruptibly(slow);
            return "";
        }, _ -> "")) {
            stuck.watch(page("/", Role.VIEWER), new Received());
            await().until(() -> begun.get() == 1);
            time.advance(Duration.ofSeconds(3));
            assertThat(begun.get()).isEqualTo(1);
            slow.countDown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aStoreThatDoesNotAnswerIsSaidAndTheStreamGoesOn() {
        AtomicBoolean away = new AtomicBoolean(true);
        Received received = new Received();
        try (PageUpdates failing = new PageUpdates(time, _ -> {
            if (away.get()) {
                throw new StoreException.Unavailable("The store is away", new IllegalStateException());
            }
            return region("one", "1");
        }, _ -> region("stores", "away"))) {
            failing.watch(page("/", Role.VIEWER), received);
            await().until(() -> !received.texts().isEmpty());
            assertThat(received.texts().getFirst()).contains("event: failed", "The store is away", "\"id\":\"stores\"");
            away.set(false);
            rounds(() -> received.texts().stream().anyMatch(text -> text.contains("\"id\":\"one\"")));
        }
    }

    @Test
    void tooManyViewersAreRefusedAndARefusedOneTakesNoPlace() {
        for (int i = 0; i < PageUpdates.PAGES_MAX; i++) {
            assertThat(updates.watch(page("/" + i, Role.VIEWER), new Received())).isPresent();
        }
        assertThat(updates.watch(page("/more", Role.VIEWER), new Received())).isEmpty();
        assertThat(updates.watch(page("/0", Role.VIEWER), new Received())).isPresent();
    }

    @Test
    void aStreamEndsAfterFiveMinutesSoThatTheViewerIsIdentifiedAnew() {
        Received received = new Received();
        updates.watch(page("/", Role.VIEWER), received);
        await().until(() -> !received.texts().isEmpty());
        time.advance(WatchedPage.LONGEST);
        rounds(received.closed::get);
    }

    /** Lets rounds begin until something is true; a round whose page is still busy makes nothing. */
    private void rounds(Callable<Boolean> done) {
        await().until(() -> {
            boolean now = done.call();
            if (!now) {
                time.advance(Duration.ofSeconds(1));
            }
            return now;
        });
    }

    private static DashboardRequest page(String path, Role role) {
        return new DashboardRequest("GET", path, Map.of(), Map.of(),
                new Caller(new Identity(Identity.Kind.TOKEN, "ann", role), "", null));
    }

    private static String region(String id, String content) {
        return "<div><!--region:" + id + "-->" + content + "<!--/region:" + id + "--></div>";
    }

    /** A stream that keeps what it got. */
    private static final class Received implements EventStream {
        private final ConcurrentLinkedQueue<String> texts = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean closed = new AtomicBoolean();

        List<String> texts() {
            return List.copyOf(texts);
        }

        @Override
        public boolean write(byte[] events) {
            return texts.add(new String(events, StandardCharsets.UTF_8));
        }

        @Override
        public void close() {
            closed.set(true);
        }

        @Override
        public void onClose(Runnable action) {}

        @Override
        public boolean isOpen() {
            return !closed.get();
        }
    }
}
