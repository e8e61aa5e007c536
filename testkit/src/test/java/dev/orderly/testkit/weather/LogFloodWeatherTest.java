package dev.orderly.testkit.weather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.Handler;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
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
class LogFloodWeatherTest {
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

    /** Runs jobs of one queue, and a last job after more than a second. */
    private void run(Orderly orderly, Handler<String> handler, AtomicInteger ended) {
        StandardQueue<String> queue = orderly.queue("mails", String.class);
        orderly.handle(queue, handler);
        orderly.start();
        orderly.jobs()
                .pushAll(IntStream.range(0, CROWD).mapToObj(n -> orderly.jobs().request(queue, "m" + n)).toList());
        await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5)).until(() -> passes(ended, CROWD));
        time.advance(Duration.ofSeconds(2));
        queue.push("last");
        await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5)).until(() -> passes(ended, CROWD + 1));
    }

    private boolean passes(AtomicInteger ended, int count) {
        time.advance(Duration.ofMillis(10));
        return ended.get() >= count;
    }

    private void assertFewLinesWith(String part) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> lines.with(part).stream().anyMatch(one -> one.contains(COUNT)));
        assertThat(lines.with(part)).hasSizeLessThan(LINES_MOST);
    }

    @Test
    void manyDeadLettersAreOneLineASecondWithTheirNumber() {
        try (Orderly orderly = open(new MemoryStore(time))) {
            StandardQueue<String> queue = orderly.queue("mails", String.class);
            orderly.handle(queue, (_, _) -> {
                throw new Unprocessable("no such address");
            });
            orderly.start();
            orderly.jobs()
                    .pushAll(IntStream.range(0, CROWD).mapToObj(n -> orderly.jobs().request(queue, "m" + n)).toList());
            awaitDead(orderly, CROWD);
            time.advance(Duration.ofSeconds(2));
            queue.push("last");
            awaitDead(orderly, CROWD + 1);
        }
        assertFewLinesWith("is a dead letter");
    }

    private void awaitDead(Orderly orderly, int count) {
        await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5)).until(() -> {
            time.advance(Duration.ofMillis(10));
            return orderly.jobs().list(new QueueName("mails"), JobState.DEAD, null, CROWD * 2).size() == count;
        });
    }

    @Test
    void manyLateAttemptsAreOneLineASecond() {
        endings(settlements -> settlements.stream().map(_ -> SettleResult.LEASE_LOST).toList());
        assertFewLinesWith("was settled too late");
    }

    @Test
    void manySettlesThatAreNotStoredAreOneLineASecond() {
        endings(_ -> {
            throw new IllegalStateException("a row is damaged");
        });
        assertFewLinesWith("was not stored");
    }

    private static List<Settlement> settlements(Object argument) {
        return ((List<?>) argument).stream().map(Settlement.class::cast).toList();
    }

    /** Runs jobs for which the store answers every settle with the given results. */
    private void endings(Function<List<Settlement>, List<SettleResult>> answer) {
        AtomicInteger ended = new AtomicInteger();
        InterceptedStore store = new InterceptedStore(new MemoryStore(time));
        store.around("settle", (arguments, _) -> answer.apply(settlements(arguments[0])));
        try (Orderly orderly = open(store)) {
            run(orderly, (_, _) -> ended.incrementAndGet(), ended);
        }
    }

    @Test
    void manyFailedLiveMessagesAreOneLineASecond() {
        try (Orderly orderly = open(new MemoryStore(time))) {
            orderly.users().onMessage(_ -> {
                throw new IllegalStateException("broken");
            });
            Errors errors = new Errors();
            LiveSession ann = orderly.live().connect(new UserId("ann"), errors, null).orElseThrow();
            Message message = new Message.Text("m".getBytes(StandardCharsets.UTF_8));
            for (int sent = 0; sent < CROWD; sent += AT_ONCE) {
                int all = sent + AT_ONCE;
                IntStream.range(sent, all).forEach(_ -> ann.received(message));
                await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(2))
                        .until(() -> errors.told.get() == all);
            }
            time.advance(Duration.ofSeconds(2));
            ann.received(message);
            assertFewLinesWith("A live message of user ann failed");
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
