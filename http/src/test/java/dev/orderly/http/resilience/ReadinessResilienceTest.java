package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.ForwardingStore;
import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.http.health.HealthChecks;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.health.Readiness.Check;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.job.NodeId;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.Declared;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.store.StorePart;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.resilience.InterceptedStore;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that cannot do what it is there for is not called ready. */
@Timeout(60)
class ReadinessResilienceTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** A store in a file of this node. */
    private static final class OwnStore extends ForwardingStore {
        OwnStore(Store store) {
            super(store);
        }

        @Override
        public List<StorePart> parts() {
            return List.of(new StorePart("file", StorePart.Content.ALL, false, this::checkWritable));
        }
    }

    @Test
    @Timeout(240)
    void aSharedStoreThatIsAwayIsAWarningAndLeavesTheServerReadyHoweverLateItsRoundsAre() {
        FaultyStore store = new FaultyStore(new MemoryStore());
        ManualTime time = new ManualTime();
        try (Orderly orderly = Orderly.open(store, EngineOptions.defaults().withTime(time)
                .withStopGrace(Duration.ZERO))) {
            orderly.start();
            Readiness readiness = new Readiness(List.of(HealthChecks.store(orderly), HealthChecks.loops(orderly)),
                    orderly::warnings, time);
            assertThat(readiness.failures()).isEmpty();
            store.failRandomly(1, 1);
            await().atMost(SOON).until(() -> {
                time.advance(Duration.ofSeconds(2));
                return !readiness.warnings().isEmpty();
            });
            assertThat(readiness.warnings()).singleElement().asString().startsWith("The store has not answered for ");
            time.advance(Duration.ofMinutes(2)); // no beat is answered meanwhile
            assertThat(readiness.failures()).isEmpty();
            store.heal();
            await().atMost(SOON).until(() -> {
                time.advance(Duration.ofSeconds(2));
                return readiness.warnings().isEmpty();
            });
            assertThat(readiness.failures()).isEmpty();
        }
    }

    @Test
    void aStoreOfThisNodeThatCanBeReadAndNotWrittenIsNotReady() {
        FaultyStore store = new FaultyStore(new MemoryStore());
        try (Orderly orderly = Orderly.open(new OwnStore(store))) {
            ManualTime time = new ManualTime();
            Readiness readiness = new Readiness(List.of(HealthChecks.store(orderly)), time);
            store.failNext(FaultyStore.Call.CHECK_WRITABLE, FaultyStore.Fault.BEFORE, 1);

            assertThat(readiness.failures()).containsOnlyKeys("store");
            time.advance(Duration.ofSeconds(2));
            assertThat(readiness.failures()).isEmpty();
        }
    }

    @Test
    void aScheduleThatNobodyFiresIsAWarningAndLeavesTheServerReady() {
        MemoryStore store = new MemoryStore();
        store.schedules().declare(new ScheduleName("gone"), Declared.anew("hourly UTC", new NodeId("gone")),
                Instant.parse("2026-03-01T12:00:00Z"));
        try (Orderly orderly = Orderly.open(store)) {
            Readiness readiness = new Readiness(List.of(), orderly::warnings, new ManualTime());
            assertThat(readiness.warnings()).isEmpty();
            orderly.start();
            await().until(() -> !readiness.warnings().isEmpty());
            assertThat(readiness.warnings()).containsExactly("schedules: no live node declares gone, so that nobody"
                    + " fires it: start a node that declares it");
            assertThat(readiness.failures()).isEmpty();
        }
    }

    @Test
    void aNodeWhoseBeatIsNotAnsweredIsNotReady() {
        assertStalls("beat", Duration.ofSeconds(16), "last beat of this node that the store answered was 16 s ago");
    }

    @Test
    void aNodeThatClaimsNothingAnyMoreIsNotReady() {
        assertStalls("claim", Duration.ofSeconds(31), "The claim loop has made no round for 31 s");
    }

    @Test
    void aNodeThatStoresNoEndingsAnyMoreIsNotReady() {
        assertStalls("settle", Duration.ofSeconds(31), "Outcomes of jobs have waited for the store for 31 s");
    }

    /** The store answers everything but one kind of call. */
    private static void assertStalls(String method, Duration silence, String line) {
        InterceptedStore store = new InterceptedStore(new MemoryStore());
        ManualTime time = new ManualTime();
        CountDownLatch end = new CountDownLatch(1);
        try (Orderly orderly = Orderly.open(store,
                EngineOptions.defaults().withTime(time).withStopGrace(Duration.ZERO))) {
            StandardQueue<String> queue = orderly.queue("mail", String.class);
            orderly.handle(queue, (_, _) -> {});
            queue.push("a"); // before the start, so that it is claimed and not handed off
            boolean beats = method.equals("beat"); // the start waits for the first one
            CountDownLatch early = beats ? null : store.holdCalls(method, end);
            orderly.start();
            Readiness readiness = new Readiness(List.of(HealthChecks.loops(orderly)), time);
            assertThat(readiness.failures()).isEmpty();
            CountDownLatch held = early == null ? store.holdCalls(method, end) : early;
            AtomicInteger seconds = new AtomicInteger();
            await().until(() -> {
                // the node may begin to wait for its next beat only now
                if (beats && held.getCount() > 0 && seconds.get() < 10) {
                    time.advance(Duration.ofSeconds(1));
                    seconds.incrementAndGet();
                }
                return held.getCount() == 0;
            });
            time.advance(silence.minusSeconds(seconds.get()));
            await().untilAsserted(() -> {
                assertThat(readiness.failures()).containsOnlyKeys("loops");
                assertThat(readiness.failures().get("loops")).endsWith(line);
            });
            end.countDown();
            await().until(() -> readiness.failures().isEmpty());
        } finally {
            end.countDown();
        }
    }

    @Test
    void anEdgeThatTakesConnectionsAndDoesNotAnswerIsNotReady() throws IOException {
        try (ServerSocket deaf = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Readiness readiness = new Readiness(
                    List.of(HealthChecks.edge(ListenerTransport.plain(new BindAddress("0.0.0.0", 0)),
                            deaf::getLocalPort)),
                    Time.system());

            assertThat(readiness.failures()).containsOnlyKeys("edge");
        }
    }

    @Test
    void aCheckThatHangsIsNotBegunAgainAndTheOthersCount() {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        Check hangs = new Check("disk", () -> {
            begun.incrementAndGet();
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Check fails = new Check("heap", () -> {
            throw new IllegalStateException("full");
        });
        Readiness readiness = new Readiness(List.of(hangs, fails), Time.system());

        for (int i = 0; i < 2; i++) {
            assertThat(readiness.failures()).containsOnlyKeys("disk", "heap").containsEntry("heap", "full");
        }
        assertThat(begun).hasValue(1);
        end.countDown();
    }
}
