package dev.orderly.testkit.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.OnDead;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.TimedOut;
import dev.orderly.job.Unprocessable;
import dev.orderly.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OrderlyHarnessTest {
    private final OrderlyHarness harness = OrderlyHarness.open();
    private final Orderly orderly = harness.orderly();
    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

    record Order(String id, int seats) {}

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void drainRunsWhatIsReadyAndWhatHandlersPush() {
        StandardQueue<String> first = orderly.queue("first", String.class);
        StandardQueue<String> second = orderly.queue("second", String.class);
        FifoQueue<String> third = orderly.fifo("third.fifo", String.class);
        orderly.handle(first, (text, job) -> second.push(text + "+"));
        orderly.handle(second, (text, job) -> third.group("g").push(text + "+"));
        orderly.handle(third, (text, job) -> ran.add(text));
        orderly.start();
        for (int n = 0; n < 20; n++) {
            first.push("a" + n);
        }

        harness.drain();

        assertThat(ran).hasSize(20).contains("a0++", "a19++");
        assertThat(harness.pushed()).hasSize(60);
    }

    @Test
    void anEventLetsAnAwaitingJobGoOnAndItsStepsAreDoneOnce() {
        StandardQueue<String> orders = orderly.queue("orders", String.class);
        orderly.handle(orders, (text, job) -> {
            job.step("reserve", () -> ran.add("reserve " + text));
            Optional<Boolean> answer = job.await("approval", Boolean.class, Duration.ofDays(7));
            if (answer.isPresent()) {
                job.step("charge", () -> ran.add("charge " + text));
            }
        });
        orderly.start();
        JobId id = orders.push("a");
        harness.drain();
        assertThat(harness.awaited(id)).containsExactly("approval");
        assertThat(harness.steps(id)).extracting(JobStep::name).containsExactly("reserve");

        harness.event(id, "approval", true);

        assertThat(harness.job(id).state()).isEqualTo(JobState.DONE);
        assertThat(harness.awaited(id)).isEmpty();
        assertThat(ran).containsExactly("reserve a", "charge a");
        assertThatThrownBy(() -> harness.event(id, "approval", true)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Event approval is not taken (ENDED)");
    }

    /** Its wait begins later than the push: drains let time pass while a job runs. */
    @Test
    void withoutTheEventTheJobIsToldThatItsTimeIsOver() {
        StandardQueue<String> orders = orderly.queue("orders", String.class);
        orderly.handle(orders, (text, job) -> {
            Instant begun = harness.time().now();
            while (!harness.time().now().isAfter(begun)) {
                Thread.onSpinWait();
            }
            try {
                job.await("approval", Boolean.class, Duration.ofDays(7));
            } catch (TimedOut e) {
                ran.add("too late");
            }
        });
        orderly.start();
        JobId id = orders.push("a");
        harness.advance(Duration.ofDays(7));
        assertThat(ran).containsExactly("too late");
        assertThat(harness.job(id).state()).isEqualTo(JobState.DONE);
    }

    @Test
    void drainLeavesWhatHasToWait() {
        StandardQueue<String> paused = orderly.queue("paused", String.class);
        StandardQueue<String> later = orderly.queue("later", String.class);
        StandardQueue<String> unhandled = orderly.queue("unhandled", String.class);
        FifoQueue<String> halted = orderly.fifo("halted.fifo", String.class,
                o -> o.withOnDead(OnDead.HALT));
        orderly.handle(paused, (text, job) -> ran.add(text));
        orderly.handle(later, (text, job) -> ran.add(text));
        orderly.handle(halted, (text, job) -> {
            throw new Unprocessable("no");
        });
        orderly.jobs().pause(paused.name(), true);
        orderly.start();
        JobId first = paused.push("1");
        JobId second = later.delay(Duration.ofHours(1)).push("2");
        JobId third = unhandled.push("3");
        halted.group("g").push("4");
        JobId behind = halted.group("g").push("5");

        harness.drain();

        assertThat(ran).isEmpty();
        assertThat(List.of(first, second, third, behind)).extracting(id -> harness.job(id).state())
                .containsExactly(JobState.WAITING, JobState.DELAYED, JobState.WAITING, JobState.WAITING);
    }

    @Test
    void whatIsReadyOnAnInstanceThatIsNotStartedIsRefusedWithTheRemedy() {
        StandardQueue<String> queue = orderly.queue("queue", String.class);
        orderly.handle(queue, (text, job) -> ran.add(text));
        queue.push("1");

        assertThatIllegalStateException().isThrownBy(harness::drain).withMessageContaining("orderly.start()");
    }

    @Test
    void advanceStopsAtEachMomentAtWhichSomethingIsDue() {
        StandardQueue<String> queue = orderly.queue("queue", String.class);
        orderly.handle(queue, (text, job) -> ran.add(text + " " + harness.time().now().toString().substring(11, 16)));
        orderly.schedule("noon", Timing.parse("every 6 hours"), run -> ran.add("schedule"));
        orderly.start();
        queue.delay(Duration.ofMinutes(90)).push("b");
        queue.delay(Duration.ofMinutes(30)).push("a");

        harness.advance(Duration.ofHours(7));

        assertThat(ran).containsExactly("a 12:30", "b 13:30", "schedule");
    }

    @Test
    void aJobWhoseWorkerCrashedAfterTheEffectRunsAgain() {
        StandardQueue<String> charges = orderly.queue("charges", String.class);
        AtomicBoolean crash = new AtomicBoolean(true);
        orderly.handle(charges, (text, job) -> {
            ran.add(text + " " + job.attempt());
            if (crash.getAndSet(false)) {
                harness.crashWorkers();
            }
        });
        orderly.start();
        JobId id = charges.push("42");

        harness.drain();

        assertThat(ran).containsExactly("42 1", "42 2");
        assertThat(harness.job(id).state()).isEqualTo(JobState.DONE);
        assertThat(harness.job(id).failures()).isZero();
    }

    @Test
    void pushesAreListedWithTheirValuesAndWithoutDuplicates() {
        StandardQueue<Order> orders = orderly.queue("orders", Order.class);
        StandardQueue<String> mails = orderly.queue("mails", String.class);
        orders.dedupe("a").push(new Order("a", 2));
        orders.dedupe("a").push(new Order("a", 2));
        mails.delay(Duration.ofMinutes(5)).push("welcome");

        assertThat(harness.pushed(orders)).singleElement()
                .satisfies(job -> assertThat(job.as(Order.class)).isEqualTo(new Order("a", 2)));
        assertThat(harness.pushed(mails)).singleElement().satisfies(job -> {
            assertThat(job.text()).isEqualTo("welcome");
            assertThat(job.runAt()).isEqualTo(harness.time().now().plus(Duration.ofMinutes(5)));
        });
    }
}
