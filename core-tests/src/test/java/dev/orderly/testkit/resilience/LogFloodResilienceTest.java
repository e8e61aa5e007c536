package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.Handler;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import dev.orderly.live.CloseCode;
import dev.orderly.live.LiveConnection;
import dev.orderly.live.LiveOptions;
import dev.orderly.live.LiveSession;
import dev.orderly.live.Message;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.user.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mass failures write one line a second, and the next line tells how many were left out. */
class LogFloodResilienceTest {
    private static final int CROWD = 500;
    /** The number of live messages that may wait for their handler. */
    private static final int AT_ONCE = 20;
    private static final int LINES_MOST = CROWD / 5;
    private static final String COUNT = "like it since the last line";

    private final ManualTime time = new ManualTime();
    private final LogLines lines = LogLines.of("dev.orderly");

    @AfterEach
    void forget() {
        lines.close();
    }

    private Orderly open(Store store) {
        return Orderly.open(store, EngineOptions.defaults().withTime(time).withStopGrace(Duration.ZERO),
                LiveOptions.DEFAULT.withMessages(CROWD, Duration.ofSeconds(1)));
    }

    private StandardQueue<String> start(Orderly orderly, Handler<String> handler) {
        StandardQueue<String> queue = orderly.queue("mails", String.class);
        orderly.handle(queue, handler);
        orderly.start();
        orderly.jobs()
                .pushAll(IntStream.range(0, CROWD).mapToObj(n -> orderly.jobs().request(queue, "m" + n)).toList());
        return queue;
    }

    /**
     * Causes further failures, each more than a second after the one before, until a line tells how many were left out:
     * lines may come later than the failures that they are about.
     */
    private void assertFewLinesWith(String part, Runnable failure) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            time.advance(Duration.ofSeconds(2));
            failure.run();
            return lines.with(part).stream().anyMatch(line -> line.contains(COUNT));
        });
        assertThat(lines.with(part)).hasSizeLessThan(LINES_MOST);
    }

    @Test
    void manyDeadLettersAreOneLineASecondWithTheirNumber() {
        try (Orderly orderly = open(new MemoryStore(time))) {
            StandardQueue<String> queue = start(orderly, (_, _) -> {
                throw new Unprocessable("no such address");
            });
            await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5)).until(() -> {
                time.advance(Duration.ofMillis(10));
                return orderly.jobs().list(queue.name(), JobState.DEAD, null, CROWD * 2).size() == CROWD;
            });
            assertFewLinesWith("is a dead letter", () -> queue.push("more"));
        }
    }

    @Test
    void manyLateAttemptsAreOneLineASecond() {
        assertFewLinesOfSettles("was settled too late",
                settlements -> settlements.stream().map(_ -> SettleResult.LEASE_LOST).toList());
    }

    @Test
    void manySettlesThatAreNotStoredAreOneLineASecond() {
        assertFewLinesOfSettles("was not stored", _ -> {
            throw new IllegalStateException("a row is damaged");
        });
    }

    private static List<Settlement> settlements(Object argument) {
        return ((List<?>) argument).stream().map(Settlement.class::cast).toList();
    }

    /** Runs jobs for which the store answers every settle with the given results. */
    private void assertFewLinesOfSettles(String part, Function<List<Settlement>, List<SettleResult>> answer) {
        AtomicInteger ended = new AtomicInteger();
        InterceptedStore store = new InterceptedStore(new MemoryStore(time));
        store.around("settle", (arguments, _) -> answer.apply(settlements(arguments[0])));
        try (Orderly orderly = open(store)) {
            StandardQueue<String> queue = start(orderly, (_, _) -> ended.incrementAndGet());
            await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5)).until(() -> {
                time.advance(Duration.ofMillis(10));
                return ended.get() >= CROWD;
            });
            assertFewLinesWith(part, () -> queue.push("more"));
        }
    }

    @Test
    void manyFailedLiveMessagesAreOneLineASecond() {
        try (Orderly orderly = open(new MemoryStore(time))) {
            orderly.users().onMessage(_ -> {
                throw new IllegalStateException("broken");
            });
            Errors errors = new Errors();
            LiveSession ann = orderly.engines().live().connect(new UserId("ann"), errors, null).orElseThrow();
            Message message = new Message.Text("m".getBytes(StandardCharsets.UTF_8));
            for (int sent = 0; sent < CROWD; sent += AT_ONCE) {
                int all = sent + AT_ONCE;
                IntStream.range(sent, all).forEach(_ -> ann.received(message));
                await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(2))
                        .until(() -> errors.told.get() == all);
            }
            assertFewLinesWith("A live message of user ann failed", () -> ann.received(message));
        }
    }

    /** A connection that counts the errors sent to it. */
    private static final class Errors implements LiveConnection {
        final AtomicInteger told = new AtomicInteger();

        @Override
        public String id() {
            return "errors";
        }

        @Override
        public String address() {
            return "here";
        }

        @Override
        public boolean send(Message message) {
            told.incrementAndGet();
            return true;
        }

        @Override
        public void close(CloseCode code, String reason) {}
    }
}
