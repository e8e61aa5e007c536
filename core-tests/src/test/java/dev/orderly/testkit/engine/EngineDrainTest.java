package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Nodes that an operator drains. */
class EngineDrainTest extends EngineTest {
    private static final NodeId SELF = new NodeId("node-a");

    private final List<String> here = new CopyOnWriteArrayList<>();

    @Test
    void aDrainedNodeEndsWhatRunsAndClaimsNothingMoreUntilItIsResumed() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        StandardQueue<String> mail = orderly.queue("mail", String.class);
        orderly.handle(mail, (text, _) -> {
            here.add(text);
            if (text.equals("long")) {
                mayEnd.await();
            }
        });
        orderly.start();
        JobId running = mail.push("long");
        awaitTrue(() -> here.contains("long"));
        assertThat(orderly.drain(SELF, true).orElseThrow().report().draining()).isTrue();
        JobId waiting = mail.push("later");
        mayEnd.countDown();
        awaitState(running, JobState.DONE);
        try (Orderly other = Orderly.open(store.beside(), options("node-b"))) {
            StandardQueue<String> there = other.queue("mail", String.class);
            List<String> elsewhere = new CopyOnWriteArrayList<>();
            other.handle(there, (text, _) -> elsewhere.add(text));
            other.start();
            awaitState(waiting, JobState.DONE);
            assertThat(elsewhere).containsExactly("later");
        }
        JobId last = mail.push("last");
        orderly.drain(SELF, false);
        awaitState(last, JobState.DONE);
        assertThat(here).containsExactly("long", "last");
    }

    @Test
    void theRestOfAGroupGoesBackInItsOrder() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        FifoQueue<String> orders = orderly.fifo("orders.fifo", String.class);
        orderly.handle(orders, (text, _) -> {
            here.add(text);
            mayEnd.await();
        });
        List<JobId> jobs = List.of("1", "2", "3").stream().map(text -> orders.group("g").push(text)).toList();
        orderly.start();
        awaitTrue(() -> !here.isEmpty());
        orderly.drain(SELF, true);
        mayEnd.countDown();
        awaitState(jobs.getFirst(), JobState.DONE);
        awaitTrue(() -> orderly.jobs().list(new QueueName("orders.fifo"), JobState.WAITING, null, 10).size() == 2);
        assertThat(here).containsExactly("1");
        orderly.drain(SELF, false);
        awaitState(jobs.getLast(), JobState.DONE);
        assertThat(here).containsExactly("1", "2", "3");
    }
}
