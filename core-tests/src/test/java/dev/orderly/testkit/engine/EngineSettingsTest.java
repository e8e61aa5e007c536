package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.job.settings.QueueOverride;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Settings of queues that operators change while nodes run. */
class EngineSettingsTest extends EngineTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueOptions FOUR = QueueOptions.STANDARD.withConcurrency(4);

    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @Test
    void fewerHandlersInterruptNoRunAndStartNoFurtherJobUntilEnoughHaveEnded() {
        CountDownLatch first = new CountDownLatch(1);
        AtomicInteger interrupted = new AtomicInteger();
        StandardQueue<String> mail = orderly.queue("mail", String.class, _ -> FOUR);
        orderly.handle(mail, (text, job) -> {
            enter();
            try {
                if (text.startsWith("first")) {
                    first.await();
                }
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
                throw e;
            } finally {
                now.decrementAndGet();
            }
        });
        orderly.start();
        for (int n = 0; n < 4; n++) {
            mail.push("first " + n);
        }
        awaitTrue(() -> now.get() == 4);
        orderly.engines().settings().change(MAIL, before -> before.withConcurrency(1), "token ann");
        assertThat(options(orderly).concurrency()).isEqualTo(1);
        most.set(0);
        List<JobId> later = new ArrayList<>();
        for (int n = 0; n < 30; n++) {
            later.add(mail.push("later " + n));
        }
        assertThat(now).hasValue(4);
        first.countDown();
        later.forEach(id -> awaitState(id, JobState.DONE));
        assertThat(interrupted).hasValue(0);
        assertThat(most).hasValue(1);
    }

    @Test
    void anotherNodeLearnsOfAChangeWithoutAPollAndANewNodeHasItFromTheStart() {
        try (Orderly other = Orderly.open(store.beside(), options("node-b"))) {
            orderly.queue("mail", String.class, _ -> FOUR);
            other.queue("mail", String.class, _ -> FOUR);
            orderly.start();
            other.start();
            orderly.engines().settings().change(MAIL,
                    before -> before.withConcurrency(9).withTimeout(Duration.ofSeconds(7)).withMaxPending(11L), "eve");
            await().until(() -> options(other).concurrency() == 9);
            assertThat(options(other).timeout()).isEqualTo(Duration.ofSeconds(7));
            assertThat(options(other).maxPending()).isEqualTo(11);
            assertThat(status(other).configured()).isEqualTo(FOUR);
            assertThat(status(other).override().by()).isEqualTo("eve");
            assertThat(status(other).override().at()).isEqualTo(time.now());
        }
        try (Orderly next = Orderly.open(store.beside(), options("node-c"))) {
            next.queue("mail", String.class, _ -> FOUR);
            next.start();
            assertThat(options(next).concurrency()).isEqualTo(9);
            next.engines().settings().change(MAIL, _ -> QueueOverride.NONE, "eve");
            assertThat(options(next)).isEqualTo(FOUR);
            assertThat(next.engines().settings().all()).isEmpty();
            await().until(() -> options(orderly).equals(FOUR));
        }
    }

    @Test
    void aReloadChangesTheConfiguredValueAndTheOperatorsStaysInForce() {
        orderly.queue("mail", String.class, _ -> FOUR);
        orderly.start();
        orderly.engines().settings().change(MAIL, before -> before.withConcurrency(2), "eve");
        orderly.engines().jobs().change(MAIL, FOUR.withConcurrency(6).withMaxPending(5));
        assertThat(options(orderly).concurrency()).isEqualTo(2);
        assertThat(options(orderly).maxPending()).isEqualTo(5);
        orderly.engines().settings().change(MAIL, before -> before.withConcurrency(null), "eve");
        assertThat(options(orderly).concurrency()).isEqualTo(6);
    }

    @Test
    void aValueOutOfItsBoundsIsRefusedAndChangesNothing() {
        orderly.queue("mail", String.class, _ -> FOUR);
        orderly.start();
        assertThatThrownBy(() -> orderly.engines().settings().change(MAIL, before -> before.withConcurrency(0), "eve"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("concurrency is 0");
        assertThat(options(orderly)).isEqualTo(FOUR);
    }

    @Test
    void changesOfTwoNodesAtOnceBothCount() throws InterruptedException {
        try (Orderly other = Orderly.open(store.beside(), options("node-b"))) {
            orderly.start();
            other.start();
            Thread one = Thread.ofVirtual().start(() -> {
                for (int n = 1; n <= 20; n++) {
                    int value = n;
                    other.engines().settings().change(MAIL, before -> before.withConcurrency(value), "eve");
                }
            });
            for (long n = 1; n <= 20; n++) {
                long value = n;
                orderly.engines().settings().change(MAIL, before -> before.withMaxPending(value), "ann");
            }
            one.join();
            await().until(() -> {
                QueueOverride known = orderly.engines().settings().of(MAIL);
                return Integer.valueOf(20).equals(known.concurrency()) && Long.valueOf(20).equals(known.maxPending());
            });
        }
    }

    private void enter() {
        int running = now.incrementAndGet();
        most.accumulateAndGet(running, Math::max);
    }

    private static QueueOptions options(Orderly node) {
        return Objects.requireNonNull(node.jobs().options(MAIL).orElse(null));
    }

    private static QueueStatus status(Orderly node) {
        return node.jobs().queues().getFirst();
    }
}
