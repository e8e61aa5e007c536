package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Several nodes on one store with stopped clocks: every effect is caused by a message, not by a poll. */
class EngineOverNodesTest extends EngineTest {
    private final Orderly other = Orderly.open(store.beside(), options("node-b"));
    private final StandardQueue<String> there = other.queue("mail", String.class);

    @Test
    void aPushOnANodeStartsOnAnotherNodeWithoutAPoll() {
        StandardQueue<String> here = orderly.queue("mail", String.class);
        List<String> ran = new CopyOnWriteArrayList<>();
        orderly.handle(here, (text, _) -> ran.add(text));
        orderly.start();
        awaitState(here.push("first"), JobState.DONE);
        Instant before = time.now();
        there.push("second");
        await().until(() -> ran.size() == 2);
        assertThat(time.now()).isEqualTo(before);
    }

    @Test
    void aQueueResumedOnANodeGoesOnOnAnotherNode() {
        StandardQueue<String> here = orderly.queue("mail", String.class);
        orderly.handle(here, (_, _) -> {});
        orderly.start();
        other.jobs().pause(new QueueName("mail"), true);
        JobId waiting = there.push("later");
        awaitTrue(() -> time.parked() > 0);
        assertThat(view(waiting).state()).isEqualTo(JobState.WAITING);
        other.jobs().pause(new QueueName("mail"), false);
        await().until(() -> view(waiting).state() == JobState.DONE);
    }
}
