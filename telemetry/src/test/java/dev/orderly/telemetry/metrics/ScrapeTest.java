package dev.orderly.telemetry.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Limit;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.job.store.QueueSnapshot;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scrapes of an application whose store has many queues, is slow, or is away. */
@Timeout(60)
class ScrapeTest {
    /** An application with metrics, over a store whose list of queues is given. */
    private static final class App implements AutoCloseable {
        final PrometheusPage page = new PrometheusPage();
        final OrderlyMetrics metrics = new OrderlyMetrics(page.registry(), Time.system());
        final Store store;
        final Orderly orderly;

        App(Supplier<List<QueueView>> queues) {
            store = Store.observed(withQueues(new MemoryStore(), queues), metrics.store(), metrics.jobs());
            orderly = Orderly.open(store, EngineOptions.defaults().withObserver(metrics.jobs()));
            RoomEngine rooms = new RoomEngine(store.rooms(),
                    new RoomTokens(TokenKeys.of(List.of("a secret of more than thirty-two bytes!"
                            .getBytes(StandardCharsets.UTF_8)))),
                    new GateId("gate"), Time.system(), new Random(1));
            metrics.watch(new Watched(orderly, rooms, store::load, () -> new Watched.EdgeReading(1, 2, 3, 4, 5)));
        }

        String scrape() {
            return metrics.scrape(() -> page.write(PrometheusPage.TEXT));
        }

        @Override
        public void close() {
            orderly.close();
            page.close();
        }
    }

    private static List<QueueView> one() {
        return List.of(QueueSnapshot.empty(new QueueName("mail")));
    }

    @Test
    void withoutTheStoreTheScrapeIsAnsweredSoonAndWhatItWouldHaveSaidIsAbsent() throws Exception {
        CountDownLatch back = new CountDownLatch(1);
        try (App app = new App(() -> {
            try {
                assertThat(back.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return one();
        })) {
            assertThat(app.scrape()).contains("orderly_store_up{part=\"all\"} 0.0", "orderly_edge_connections 1.0")
                    .doesNotContain("orderly_jobs{");
            back.countDown();
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(app.scrape())
                    .contains("orderly_store_up{part=\"all\"} 1.0",
                            "orderly_jobs{queue=\"mail\",state=\"waiting\"} 0.0"));
        }
    }

    @Test
    void anApplicationWithoutRoomsAndEdgeHasNoneOfTheirMetrics() {
        try (PrometheusPage page = new PrometheusPage()) {
            OrderlyMetrics metrics = new OrderlyMetrics(page.registry(), Time.system());
            Store store = Store.observed(new MemoryStore(), metrics.store(), metrics.jobs());
            try (Orderly orderly = Orderly.open(store, EngineOptions.defaults().withObserver(metrics.jobs()))) {
                metrics.watch(Watched.of(orderly, store));
                orderly.queue("mail", String.class).push("a");
                assertThat(metrics.scrape(() -> page.write(PrometheusPage.TEXT)))
                        .contains("orderly_jobs{queue=\"mail\",state=\"waiting\"} 1.0",
                                "orderly_jobs_pushed_total{queue=\"mail\",result=\"accepted\"} 1.0")
                        .doesNotContain("orderly_edge_connections", "orderly_room_ahead");
            }
        }
    }

    @Test
    void aLimitShowsWhatItCountsAndItsBound() {
        try (App app = new App(ScrapeTest::one)) {
            app.orderly.limit("crm-api", Limit.concurrency(3));
            app.orderly.handle(app.orderly.queue("mail", String.class, o -> o.withLimit("crm-api")), (_, _) -> {});
            app.orderly.start();
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(app.scrape())
                    .contains("orderly_jobs_limit_running{limit=\"crm-api\"} 0.0",
                            "orderly_jobs_limit_concurrency{limit=\"crm-api\"} 3.0",
                            "orderly_jobs_limit_full{limit=\"crm-api\"} 0.0"));
        }
    }

    @Test
    void keysAreCountedAndNeverNamed() {
        try (App app = new App(ScrapeTest::one)) {
            var mail = app.orderly.queue("mail", String.class, o -> o.withKey(text -> text));
            app.orderly.jobs().setKey(mail.name(), "acme", before -> before.withPaused(true), "ann");
            mail.push("acme");
            mail.push("beta");
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(app.scrape())
                    .contains("orderly_jobs_keys{queue=\"mail\",state=\"ready\"} 1.0",
                            "orderly_jobs_keys{queue=\"mail\",state=\"held\"} 0.0",
                            "orderly_jobs_keys{queue=\"mail\",state=\"paused\"} 1.0")
                    .doesNotContain("acme", "beta"));
        }
    }

    @Test
    void aStoreThatFailsIsDownAndEarlierValuesAreNotShown() {
        AtomicInteger readings = new AtomicInteger();
        try (App app = new App(() -> {
            if (readings.incrementAndGet() > 1) {
                throw new StoreException.Unavailable("away", null);
            }
            return one();
        })) {
            assertThat(app.scrape()).contains("orderly_store_up{part=\"all\"} 1.0", "orderly_jobs{queue=\"mail\"");
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(app.scrape())
                    .contains("orderly_store_up{part=\"all\"} 0.0").doesNotContain("orderly_jobs{"));
        }
    }

    @Test
    void manyScrapersShareOneReadingOfTheStore() throws Exception {
        AtomicInteger readings = new AtomicInteger();
        CountDownLatch begin = new CountDownLatch(1);
        try (App app = new App(() -> {
            readings.incrementAndGet();
            return one();
        }); ExecutorService scrapers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> scrapes = new ArrayList<>();
            for (int n = 0; n < 10; n++) {
                scrapes.add(scrapers.submit(() -> {
                    begin.await();
                    return app.scrape();
                }));
            }
            begin.countDown();
            for (Future<?> scrape : scrapes) {
                scrape.get();
            }
            scrapers.shutdown();
            assertThat(scrapers.awaitTermination(50, TimeUnit.SECONDS)).isTrue();
            assertThat(readings).as("readings, one for each four seconds").hasValueLessThan(5);
        }
    }

    @Test
    void queuesBeyondTheFirstTwoHundredAreCountedTogether() {
        List<QueueView> many = IntStream.range(0, 300).<QueueView>mapToObj(n -> new QueueSnapshot(
                new QueueName("queue-%03d".formatted(n)), false, 1, 0, 0, 0, 0, 0, 0, null)).toList();
        try (App app = new App(() -> many)) {
            assertThat(app.scrape()).contains("orderly_jobs{queue=\"queue-000\",state=\"waiting\"} 1.0",
                    "orderly_jobs{queue=\"queue-199\",state=\"waiting\"} 1.0",
                    "orderly_jobs{queue=\"other\",state=\"waiting\"} 100.0").doesNotContain("queue-200");
            for (int n = 0; n < 300; n++) {
                app.orderly.queue("queue-%03d".formatted(n), String.class).push("x");
            }
            assertThat(app.scrape()).contains("orderly_jobs_pushed_total{queue=\"queue-199\",result=\"accepted\"} 1.0",
                    "orderly_jobs_pushed_total{queue=\"other\",result=\"accepted\"} 100.0")
                    .doesNotContain("queue-200");
        }
    }

    @Test
    void pushesThatWereTakenForAnEqualJobAreCounted() {
        try (App app = new App(ScrapeTest::one)) {
            FifoQueue<String> orders = app.orderly.fifo("orders.fifo", String.class);
            orders.group("ann").push("order");
            orders.group("ann").push("order");
            orders.group("ann").dedupe("7").push("order");
            orders.group("ann").dedupe("7").push("order");
            assertThat(app.scrape()).contains("orderly_jobs_pushed_equal_total{queue=\"orders.fifo\"} 1.0",
                    "orderly_jobs_pushed_total{queue=\"orders.fifo\",result=\"duplicate\"} 2.0");
        }
    }

    @Test
    void failedCallsAreCountedByTheirError() {
        try (App app = new App(ScrapeTest::one)) {
            app.metrics.store().called(dev.orderly.store.StoreOperation.PUSH, 3, 1_000,
                    new StoreException.OutcomeUnknown("lost", null));
            assertThat(app.scrape()).contains(
                    "orderly_store_errors_total{error=\"outcome_unknown\",operation=\"push\"} 1.0",
                    "orderly_store_items_total{operation=\"push\"} 3.0");
        }
    }

    @Test
    void aCallIsLateOnceItTookLongerThanTheLeaseOfANode() {
        try (App app = new App(ScrapeTest::one)) {
            for (long nanos : new long[]{NodeTimes.LEASE.toNanos(), NodeTimes.LEASE.toNanos() + 1}) {
                app.metrics.store().called(dev.orderly.store.StoreOperation.CLAIM, 0, nanos, null);
            }
            assertThat(app.scrape()).contains("orderly_store_calls_late_total{operation=\"claim\"} 1.0",
                    "orderly_store_calls_late_total{operation=\"settle\"} 0.0");
        }
    }

    /** The store with another list of queues. */
    private static Store withQueues(Store store, Supplier<List<QueueView>> queues) {
        JobViews views = proxy(JobViews.class, (method, arguments) -> method.getName().equals("queues")
                ? queues.get()
                : method.invoke(store.jobViews(), arguments));
        return proxy(Store.class, (method, arguments) -> method.getName().equals("jobViews")
                ? views
                : method.invoke(store, arguments));
    }

    private interface Answer {
        Object of(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                (_, method, arguments) -> {
                    try {
                        return answer.of(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
