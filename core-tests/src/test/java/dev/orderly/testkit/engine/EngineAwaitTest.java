package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.AwaitResult;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.payload.UnreadablePayloadException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class EngineAwaitTest extends EngineTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final StandardQueue<String> orders = orderly.queue("orders", String.class);

    /** The result of an order. */
    record Receipt(String order, int cents) {}

    private void handle(Orderly node) {
        node.handle(node.queue("orders", String.class), (order, job) -> {
            switch (order) {
                case "bad" -> throw new Unprocessable("no such seat");
                case "late" -> job.discard("too late");
                case "quiet" -> {
                }
                default -> job.result(new Receipt(order, 700));
            }
        });
        node.start();
    }

    private AwaitResult<Receipt> end(JobId id) throws InterruptedException {
        return orderly.jobs().await(id, Receipt.class, LONG);
    }

    @Test
    void theEndOfAJobIsAnsweredWithItsResult() throws InterruptedException {
        handle(orderly);
        JobId done = orders.push("7");
        assertThat(end(done)).isEqualTo(new AwaitResult.Done<>(Optional.of(new Receipt("7", 700))));
        assertThat(orderly.jobs().result(done, Receipt.class)).contains(new Receipt("7", 700));
        assertThat(end(orders.push("quiet"))).isEqualTo(new AwaitResult.Done<>(Optional.empty()));
        assertThat(end(orders.push("bad"))).isInstanceOfSatisfying(AwaitResult.Dead.class,
                dead -> assertThat(dead.job().failure()).extracting(JobFailure::summary).isEqualTo("no such seat"));
        assertThat(end(orders.push("late"))).isInstanceOfSatisfying(AwaitResult.Cancelled.class,
                cancelled -> assertThat(cancelled.job().reason()).isEqualTo("too late"));
        JobId never = JobId.of(1, 7);
        assertThat(end(never)).isEqualTo(new AwaitResult.Unknown<>(never));
        assertThatThrownBy(() -> orderly.jobs().result(done, Integer.class))
                .isInstanceOf(UnreadablePayloadException.class);
    }

    @Test
    void aJobThatHasNotEndedIsPendingAfterTheTimeout() throws InterruptedException {
        JobId waiting = orders.push("7");
        assertThat(orderly.jobs().await(waiting, Receipt.class, Duration.ZERO))
                .isEqualTo(new AwaitResult.Pending<>(view(waiting)));
        assertThat(orderly.jobs().result(waiting, Receipt.class)).isEmpty();
    }

    @Test
    void anEndOnAnotherNodeIsNoticed() throws Exception {
        JobId id = orders.push("7");
        try (var callers = Executors.newVirtualThreadPerTaskExecutor(); Orderly other = node("node-b")) {
            var waiting = List.of(callers.submit(() -> end(id)), callers.submit(() -> end(id)));
            handle(other);
            for (var each : waiting) {
                awaitTrue(each::isDone);
                assertThat(each.get()).isInstanceOf(AwaitResult.Done.class);
            }
        }
    }

    @Test
    void anInterruptEndsTheWaitAndNotTheJob() throws InterruptedException {
        JobId id = orders.push("7");
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            waits.countDown();
            try {
                end(id);
            } catch (InterruptedException e) {
                thrown.complete(e);
            }
        });
        waits.await();
        caller.interrupt();
        await().until(thrown::isDone);
        assertThat(thrown.join()).hasMessageContaining(id.toString());
        handle(orderly);
        assertThat(end(id)).isInstanceOf(AwaitResult.Done.class);
    }
}
