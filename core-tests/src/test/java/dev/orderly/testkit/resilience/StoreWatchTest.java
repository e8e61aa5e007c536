package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.flow.Lifecycle;
import dev.orderly.store.StoreException;
import dev.orderly.store.StorePart;
import dev.orderly.store.StorePart.Content;
import dev.orderly.store.watch.StoreWatch;
import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The watch over the parts of a store, by a clock that the test moves. */
@Timeout(120)
class StoreWatchTest {
    private final ManualTime time = new ManualTime();
    private final Lifecycle lifecycle = new Lifecycle();
    private final AtomicBoolean away = new AtomicBoolean();
    private final AtomicInteger probes = new AtomicInteger();
    private final AtomicReference<CountDownLatch> held = new AtomicReference<>(new CountDownLatch(0));

    @AfterEach
    void end() {
        held.get().countDown();
        lifecycle.end();
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60));
    }

    private StoreWatch watch(boolean shared) {
        StoreWatch watch = new StoreWatch(List.of(new StorePart("there", Content.ROOMS, shared, this::probe)), time,
                lifecycle);
        lifecycle.start();
        soon().until(() -> probes.get() == 1);
        return watch;
    }

    private void probe() {
        try {
            held.get().await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        probes.incrementAndGet();
        if (away.get()) {
            throw new StoreException.Unavailable("nobody listens", null);
        }
    }

    @Test
    void anOutageIsKnownSinceItsFirstProbeAndExplainsDelaysForAWhileAfterIt() {
        StoreWatch watch = watch(true);
        assertThat(watch.explainsDelays()).isFalse();
        away.set(true);
        Instant begin = time.now();
        soon().until(() -> {
            time.advance(Duration.ofSeconds(2));
            return !watch.outages().isEmpty();
        });
        StoreWatch.Outage outage = watch.sharedOutages().getFirst();
        assertThat(outage.since()).isAfter(begin);
        assertThat(outage.reason()).isEqualTo("nobody listens");
        assertThat(outage.line()).startsWith("The store of rooms has not answered for ").doesNotContain("there");
        assertThat(watch.explainsDelays()).isTrue();
        away.set(false);
        soon().until(() -> {
            time.advance(Duration.ofSeconds(2));
            return watch.outages().isEmpty();
        });
        assertThat(watch.explainsDelays()).isTrue();
        time.advance(Duration.ofMinutes(2));
        soon().until(() -> !watch.explainsDelays());
    }

    @Test
    void aWriteThatIsNotAnsweredIsAnOutageAndItsAnswerIsTheEnd() {
        StoreWatch watch = watch(true);
        held.set(new CountDownLatch(1));
        soon().until(() -> {
            time.advance(Duration.ofSeconds(3));
            return !watch.outages().isEmpty();
        });
        held.get().countDown();
        soon().until(() -> watch.outages().isEmpty());
        assertThat(watch.explainsDelays()).isTrue();
    }

    @Test
    void onlyWhatIsThisNodesOwnMakesThisNodeFail() {
        StoreWatch shared = watch(true);
        away.set(true);
        shared.checkOwn();
        StoreWatch own = new StoreWatch(List.of(new StorePart("disk", Content.ALL, false, this::probe)), time,
                new Lifecycle());
        assertThatThrownBy(own::checkOwn).isInstanceOf(StoreException.Unavailable.class);
        assertThat(own.explainsDelays()).isFalse();
    }
}
