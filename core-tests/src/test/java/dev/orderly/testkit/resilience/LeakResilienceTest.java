package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Failures around a run must not leave the job with a living node that does not run it. */
class LeakResilienceTest {
    private static final Duration LONGER_THAN_ANY_STORE = Duration.ofSeconds(40);

    private final ManualNodes nodes = new ManualNodes();
    private final InterceptedStore store = new InterceptedStore(nodes.store);
    private final Orderly node = nodes.node("node-a", store);
    private final List<String> runs = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        nodes.close();
    }

    /** An exception whose message fails, as a lazily built message can. */
    private static final class Silent extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message either");
        }
    }

    @Test
    void anExceptionWhoseMessageThrowsIsAFailedAttempt() {
        FifoQueue<String> orders = node.fifo("orders.fifo", String.class);
        node.handle(orders, (text, job) -> {
            runs.add(text);
            if (job.attempt() == 1) {
                throw new Silent();
            }
        });
        node.start();
        JobId first = orders.group("g").push("first");
        JobId second = orders.group("g").push("second");
        nodes.awaitState(second, JobState.DONE);
        assertThat(runs).startsWith("first", "first").endsWith("second");
        assertThat(nodes.view(first).failures()).isEqualTo(1);
    }

    /** A payload class whose initialiser fails, for example on a missing resource. */
    static final class Broken {
        static final int NUMBER = fails();

        public String text = "" + NUMBER;

        private static int fails() {
            throw new IllegalStateException("a resource is missing");
        }
    }

    @Test
    void aPayloadClassThatFailsToInitialiseIsAFailedAttempt() {
        StandardQueue<Broken> queue = node.queue("broken", Broken.class);
        StandardQueue<String> fine = node.queue("fine", String.class);
        node.handle(queue, (_, _) -> runs.add("ran"));
        node.handle(fine, (text, _) -> runs.add(text));
        node.start();
        byte[] content = "{\"text\":\"a\"}".getBytes(StandardCharsets.UTF_8);
        JobId id = node.jobs().push(PushRequest.of("broken", new Payload("application/json", content))).id();
        nodes.awaitTrue(() -> nodes.view(id).failures() > 0 || nodes.view(id).state() == JobState.DEAD);
        JobId other = fine.push("fine");
        nodes.awaitState(other, JobState.DONE);
        assertThat(runs).containsExactly("fine");
    }

    @Test
    void aSettleThatFailsOnceWithAnUnusableStoreIsRepeatedAndTheJobRunsOnce() {
        AtomicInteger failures = new AtomicInteger(1);
        store.around("settle", (_, work) -> {
            if (failures.getAndDecrement() > 0) {
                throw new StoreException.Unusable("a table is being changed", null);
            }
            return work.get();
        });
        StandardQueue<String> mails = node.queue("mails", String.class);
        node.handle(mails, (text, _) -> runs.add(text));
        node.start();
        nodes.awaitState(mails.push("hello"), JobState.DONE);
        assertThat(runs).containsExactly("hello");
    }

    @Test
    void aSettleThatAlwaysFailsAffectsNoOtherSettle() {
        AtomicReference<@Nullable JobId> bad = new AtomicReference<>();
        AtomicInteger refused = new AtomicInteger();
        store.around("settle", (arguments, work) -> {
            if (((List<?>) arguments[0]).stream().anyMatch(
                    each -> ((Settlement) each).attempt().id().equals(bad.get())) && refused.incrementAndGet() > 0) {
                throw new StoreException.Unusable("a value out of range", null);
            }
            return work.get();
        });
        StandardQueue<String> mails = node.queue("mails", String.class);
        node.handle(mails, (text, _) -> runs.add(text));
        List<JobId> ids = mails.pushAll(IntStream.range(0, 20).mapToObj(n -> "m" + n).toList());
        JobId neverTaken = ids.get(7);
        bad.set(neverTaken);
        node.start();
        ids.stream().filter(id -> !id.equals(neverTaken)).forEach(id -> nodes.awaitState(id, JobState.DONE));
        nodes.awaitTrue(() -> {
            nodes.time.advance(Duration.ofMillis(200));
            return runs.stream().filter("m7"::equals).count() >= 2;
        });
        store.leave("settle");
        nodes.awaitTrue(() -> {
            nodes.time.advance(Duration.ofMillis(200));
            return nodes.view(neverTaken).state() == JobState.DONE;
        });
        assertThat(runs).filteredOn(text -> !text.equals("m7")).hasSize(19);
    }

    @Test
    void aClaimCommittedLongAfterItsTimeoutIsGivenBack() {
        AtomicReference<@Nullable Supplier<Object>> late = new AtomicReference<>();
        store.around("claim", (_, work) -> {
            if (late.compareAndSet(null, work)) {
                throw new StoreException.OutcomeUnknown("the connection was lost in the middle", null);
            }
            return work.get();
        });
        StandardQueue<String> mails = node.queue("mails", String.class);
        node.handle(mails, (text, _) -> runs.add(text));
        node.start();
        nodes.awaitTrue(() -> late.get() != null);
        nodes.pass(LONGER_THAN_ANY_STORE);
        store.around("claim", (_, _) -> {
            throw new StoreException.Unavailable("still away", null);
        });
        nodes.pass(Duration.ofSeconds(2));
        JobId id = mails.push("hello");
        assertThat(Objects.requireNonNull(late.get()).get()).isNotNull();
        assertThat(nodes.view(id).state()).isEqualTo(JobState.RUNNING);
        store.leave("claim");
        nodes.awaitTrue(() -> {
            nodes.time.advance(Duration.ofMillis(200));
            return nodes.view(id).state() == JobState.DONE;
        });
        assertThat(runs).containsExactly("hello");
    }
}
