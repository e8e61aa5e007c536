package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.CancellationSignal.Reason;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.store.JobStore.Heartbeat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Heartbeats that hang, late answers, suspended machines and clocks that are set. */
class LeaseResilienceTest {
    private final ManualNodes nodes = new ManualNodes();
    private final InterceptedStore store = new InterceptedStore(nodes.store);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private final List<Integer> attempts = new CopyOnWriteArrayList<>();
    private final AtomicReference<Reason> reason = new AtomicReference<>();
    private final Orderly node = nodes.node("node-a", store);
    private final StandardQueue<String> mails = node.queue("mails", String.class);

    @AfterEach
    void end() {
        letGo.countDown();
        nodes.close();
    }

    /** Starts a job whose first attempt runs until its signal is raised. */
    private JobId running() {
        node.handle(mails, (_, job) -> {
            if (job.attempt() == 1) {
                job.signal().onRaise(() -> reason.set(job.signal().reason().orElseThrow()));
            }
            attempts.add(job.attempt());
            if (job.attempt() == 1) {
                new CountDownLatch(1).await();
            }
        });
        node.start();
        JobId id = mails.push("hello");
        nodes.awaitTrue(() -> attempts.equals(List.of(1)));
        return id;
    }

    @Test
    void aHeartbeatThatHangsStopsHandlersBeforeOtherNodesStartTheirJobs() {
        JobId id = running();
        store.holdAnswers("beat", letGo);
        nodes.pass(Duration.ofSeconds(18));
        assertThat(reason).hasNullValue();
        nodes.pass(Duration.ofSeconds(9));
        nodes.awaitTrue(() -> reason.get() == Reason.LEASE_LOST);
        store.leave("beat");
        letGo.countDown();
        nodes.awaitState(id, JobState.DONE);
        assertThat(nodes.view(id).failures()).isZero();
    }

    @Test
    void aClaimAnsweredAfterTheNodeWasDeclaredDeadStartsNoJob() {
        node.handle(mails, (text, job) -> {
            if (text.equals("hello")) {
                attempts.add(job.attempt());
            }
        });
        AtomicBoolean claimed = new AtomicBoolean();
        AtomicBoolean heard = new AtomicBoolean();
        store.around("claim", (_, work) -> {
            Object answer = work.get();
            claimed.set(!nodes.store.jobViews().list(mails.name(), JobState.RUNNING, null, 1).isEmpty());
            if (claimed.get()) {
                await(letGo);
            }
            return answer;
        });
        store.around("beat", (_, work) -> {
            Object answer = work.get();
            heard.compareAndSet(false, !((Heartbeat) answer).alive());
            return answer;
        });
        JobId id = mails.push("hello"); // before the start, so that it is claimed and not handed off
        node.start();
        nodes.awaitTrue(claimed::get);
        nodes.declareAllDead();
        nodes.awaitTrue(() -> {
            nodes.time.advance(Duration.ofSeconds(1));
            return heard.get();
        });
        List<Integer> elsewhere = new CopyOnWriteArrayList<>();
        Orderly other = nodes.node("node-b");
        other.handle(other.queue("mails", String.class), (_, job) -> elsewhere.add(job.attempt()));
        other.start();
        nodes.awaitState(id, JobState.DONE);
        store.leave("claim");
        letGo.countDown();
        nodes.pass(Duration.ofSeconds(2));
        JobId next = mails.push("next");
        nodes.awaitState(next, JobState.DONE);
        assertThat(attempts).doesNotContain(1).hasSizeLessThanOrEqualTo(1);
        assertThat(elsewhere).contains(2);
    }

    @Test
    void aSuspendedMachineStartsNoJobBeforeItsNextHeartbeatEvenIfItsMonotonicClockStoodStill() {
        node.handle(mails, (_, job) -> attempts.add(job.attempt()));
        node.start();
        store.holdCalls("beat", letGo);
        nodes.pass(Duration.ofSeconds(6));
        nodes.time.jump(Duration.ofHours(1));
        JobId id = mails.push("hello");
        nodes.pass(Duration.ofSeconds(3));
        assertThat(attempts).isEmpty();
        store.leave("beat");
        letGo.countDown();
        nodes.awaitState(id, JobState.DONE);
    }

    @Test
    void aSuspendedMachineSendsAHeartbeatWithinASecondOfItsReturn() {
        running();
        AtomicBoolean beaten = new AtomicBoolean();
        nodes.pass(Duration.ofSeconds(1));
        store.around("beat", (_, work) -> {
            beaten.set(true);
            return work.get();
        });
        nodes.time.jump(Duration.ofHours(1));
        nodes.pass(Duration.ofMillis(1_500));
        Awaitility.await().untilTrue(beaten);
        assertThat(reason).hasNullValue();
    }

    @Test
    void aWallClockThatIsSetStopsNoHandlerAndNoClaim() {
        JobId id = running();
        for (Duration step : List.of(Duration.ofHours(1), Duration.ofHours(-2), Duration.ofDays(30))) {
            nodes.time.jump(step);
            nodes.pass(Duration.ofSeconds(12));
            JobId next = mails.push("next");
            nodes.awaitTrue(() -> nodes.view(next).state() == JobState.RUNNING
                    || nodes.view(next).state() == JobState.DONE);
        }
        assertThat(reason).hasNullValue();
        assertThat(nodes.view(id).attempt()).isEqualTo(1);
    }

    @Test
    void aSuspendedMachineWithARunningMonotonicClockStopsItsHandlersAtOnceAndCountsNoFailure() {
        JobId id = running();
        nodes.time.advance(Duration.ofHours(1));
        nodes.awaitTrue(() -> reason.get() == Reason.LEASE_LOST);
        nodes.awaitState(id, JobState.DONE);
        assertThat(nodes.view(id).failures()).isZero();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
