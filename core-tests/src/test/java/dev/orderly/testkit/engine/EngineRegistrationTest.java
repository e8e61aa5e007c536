package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Registration;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import dev.orderly.schedule.Timing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Handlers and listeners whose registration is closed while the node goes on. */
class EngineRegistrationTest extends EngineTest {
    private static final QueueName MAIL = new QueueName("mail");

    private final List<String> first = new CopyOnWriteArrayList<>();
    private final List<String> second = new CopyOnWriteArrayList<>();
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @Test
    void aClosedHandlerStartsNoFurtherJobAndAnotherTakesItsPlace() {
        StandardQueue<String> mail = orderly.queue("mail", String.class, o -> o.withConcurrency(2));
        Registration handler = orderly.handle(mail, (text, _) -> {
            first.add(text);
            mayEnd.await();
        });
        orderly.start();
        JobId running = mail.push("long");
        awaitTrue(() -> first.contains("long"));
        assertThatThrownBy(() -> orderly.handle(mail, (_, _) -> {})).hasMessageContaining("has a handler already");
        handler.close();
        handler.close();
        JobId waiting = mail.push("later");
        Instant polled = time.now().plusSeconds(3);
        awaitTrue(() -> time.now().isAfter(polled));
        assertThat(view(waiting).state()).isEqualTo(JobState.WAITING);
        assertThat(view(running).state()).isEqualTo(JobState.RUNNING);
        Registration next = orderly.handle(mail, (text, _) -> second.add(text));
        awaitState(waiting, JobState.DONE);
        handler.close();
        mayEnd.countDown();
        awaitState(running, JobState.DONE);
        awaitState(mail.push("last"), JobState.DONE);
        assertThat(first).containsExactly("long");
        assertThat(second).containsExactly("later", "last");
        next.close();
    }

    @Test
    void aSecondDeclarationIsToldWhatItSaysDifferently() {
        orderly.queue("mail", String.class);
        assertThatThrownBy(() -> orderly.queue("mail", Integer.class, o -> o.withConcurrency(3)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Queue mail is declared twice, with type java.lang.String and java.lang.Integer,"
                        + " concurrency 32 and 3: declare it once and pass it on, or both times alike");
        assertThatThrownBy(() -> orderly.queue("news", String.class, o -> o.withOnDead(OnDead.HALT)))
                .hasMessageContaining("news").hasMessageContaining("no groups to halt").hasMessageContaining(".fifo");
    }

    @Test
    void aStoppedInstanceRefusesWhatItWouldNeverDo() {
        StandardQueue<String> mail = orderly.queue("mail", String.class);
        orderly.start();
        assertThatThrownBy(orderly::start).isInstanceOf(IllegalStateException.class)
                .hasMessage("Orderly was started already: call start() once");
        orderly.close();
        Timing daily = Timing.parse("daily");
        assertRefused(() -> orderly.handle(mail, (_, _) -> {}), "attaches no handler to queue mail");
        assertRefused(() -> orderly.schedule("digest", daily, mail, "all"), "takes no schedule digest");
        assertRefused(() -> orderly.schedule("report", daily, _ -> {}), "attaches no handler");
        assertRefused(orderly::start, "starts no more");
        assertThatThrownBy(() -> mail.push("late")).isInstanceOf(IllegalStateException.class)
                .hasMessage("Orderly is closed and takes no push: push before close()");
    }

    private static void assertRefused(ThrowingCallable call, String refusal) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessageStartingWith("Orderly is stopped")
                .hasMessageContaining(refusal).hasMessageContaining("before stop() and close()");
    }

    @Test
    void theRestOfAGroupGoesBackAndRunsOnTheNextHandlerInItsOrder() {
        FifoQueue<String> orders = orderly.fifo("orders.fifo", String.class);
        Registration handler = orderly.handle(orders, (text, _) -> {
            first.add(text);
            mayEnd.await();
        });
        List<JobId> jobs = Stream.of("1", "2", "3").map(text -> orders.group("g").push(text)).toList();
        orderly.start();
        awaitTrue(() -> !first.isEmpty());
        handler.close();
        mayEnd.countDown();
        awaitState(jobs.getFirst(), JobState.DONE);
        awaitTrue(() -> orderly.jobs().list(orders.name(), JobState.WAITING, null, 10).size() == 2);
        assertThat(first).containsExactly("1");
        orderly.handle(orders, (text, _) -> second.add(text));
        awaitState(jobs.getLast(), JobState.DONE);
        assertThat(first).containsExactly("1");
        assertThat(second).containsExactly("2", "3");
    }

    @Test
    void whatWasClaimedAheadGoesBackUncountedAndRunsOnce() {
        int before = 60;
        StandardQueue<String> mail = orderly.queue("mail", String.class, o -> o.withConcurrency(1));
        Registration handler = orderly.handle(mail, (text, _) -> {
            first.add(text);
            if (first.size() == before) {
                mayEnd.await();
            }
        });
        List<JobId> jobs = new ArrayList<>();
        for (int n = 0; n < 200; n++) {
            jobs.add(mail.push("m" + n));
        }
        orderly.start();
        awaitTrue(() -> first.size() == before);
        handler.close();
        awaitTrue(() -> orderly.jobs().list(MAIL, JobState.RUNNING, null, 1_000).size() == 1);
        mayEnd.countDown();
        awaitTrue(() -> orderly.jobs().list(MAIL, JobState.WAITING, null, 1_000).size() == 200 - before);
        assertThat(first).hasSize(before);
        orderly.handle(mail, (text, job) -> second.add(text + " " + job.failures()));
        jobs.forEach(id -> awaitState(id, JobState.DONE));
        assertThat(first).hasSize(before).doesNotHaveDuplicates();
        assertThat(second).hasSize(200 - before).doesNotHaveDuplicates().allMatch(text -> text.endsWith(" 0"));
    }

    @Test
    void aClosedHandlerLeavesTheStoreItsQueueToOtherNodes() {
        StandardQueue<String> mail = orderly.queue("mail", String.class);
        Registration handler = orderly.handle(mail, (_, _) -> {});
        orderly.start();
        assertThat(store.jobViews().workers(MAIL)).hasSize(1);
        handler.close();
        awaitTrue(() -> store.jobViews().workers(MAIL).isEmpty());
        assertThat(orderly.jobs().queues().getFirst().handled()).isFalse();
    }

    @Test
    void aClosedListenerIsCalledNoMoreAndTheOthersAre() {
        List<JobId> closed = new CopyOnWriteArrayList<>();
        List<JobId> open = new CopyOnWriteArrayList<>();
        StandardQueue<String> mail = orderly.queue("mail", String.class);
        orderly.handle(mail, (_, _) -> {});
        Registration listener = orderly.jobs().onChange(closed::add);
        Registration twice = orderly.jobs().onChange(open::add);
        orderly.start();
        JobId seen = mail.push("seen");
        awaitTrue(() -> closed.contains(seen) && open.contains(seen));
        listener.close();
        listener.close();
        JobId unseen = mail.push("unseen");
        awaitTrue(() -> open.contains(unseen));
        assertThat(closed).doesNotContain(unseen);
        twice.close();
    }

    @Test
    void aClosedActionOfASignalDoesNotRun() {
        AtomicInteger closed = new AtomicInteger();
        CountDownLatch raised = new CountDownLatch(1);
        StandardQueue<String> mail = orderly.queue("mail", String.class);
        orderly.handle(mail, (text, job) -> {
            Registration action = job.signal().onRaise(closed::incrementAndGet);
            job.signal().onRaise(raised::countDown);
            action.close();
            first.add(text);
            try {
                mayEnd.await();
            } finally {
                raised.await();
                action.close();
            }
        });
        orderly.start();
        JobId id = mail.push("a");
        awaitTrue(() -> !first.isEmpty());
        orderly.jobs().cancel(id);
        awaitState(id, JobState.CANCELLED);
        assertThat(closed).hasValue(0);
    }
}
