package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import org.junit.jupiter.api.Test;

/** Queues that are gone and are forgotten. */
class EngineForgetTest extends EngineTest {
    private static final QueueName MAIL = new QueueName("mail");

    /** A node that has used the queue, paused it and changed its settings, and is gone. */
    private JobId used() {
        try (Orderly gone = Orderly.open(store.beside(), options("gone"))) {
            StandardQueue<String> mail = gone.queue("mail", String.class);
            gone.handle(mail, (_, _) -> {});
            gone.start();
            JobId job = mail.push("a");
            awaitTrue(() -> gone.jobs().find(job).orElseThrow().state() == JobState.DONE);
            gone.engines().settings().change(MAIL, before -> before.withConcurrency(9), "eve");
            gone.jobs().pause(MAIL, true);
            return job;
        }
    }

    @Test
    void aQueueIsForgottenWithItsPauseAndSettingsAndKeepsItsEndedJobs() {
        JobId job = used();
        orderly.start();
        assertThat(orderly.jobs().queues()).hasSize(1);
        assertThat(orderly.jobs().forget(MAIL)).isEqualTo(new ForgetQueueResult.Forgotten(MAIL));
        assertThat(orderly.jobs().queues()).isEmpty();
        assertThat(orderly.engines().settings().all()).isEmpty();
        assertThat(view(job).state()).isEqualTo(JobState.DONE);
        assertThat(orderly.jobs().forget(MAIL)).isEqualTo(new ForgetQueueResult.Unknown(MAIL));
        StandardQueue<String> mail = orderly.queue("mail", String.class);
        orderly.handle(mail, (_, _) -> {});
        awaitState(mail.push("b"), JobState.DONE);
        assertThat(orderly.jobs().options(MAIL).orElseThrow().concurrency()).isNotEqualTo(9);
    }

    @Test
    void aQueueThatAnyLiveNodeDeclaresIsNotForgotten() {
        used();
        try (Orderly pushes = Orderly.open(store.beside(), options("pushes"))) {
            pushes.queue("mail", String.class);
            pushes.start();
            ForgetQueueResult refused = orderly.jobs().forget(MAIL);
            assertThat(refused).isInstanceOfSatisfying(ForgetQueueResult.InUse.class, inUse -> {
                assertThat(inUse.nodes()).containsExactly(new NodeId("pushes"));
                assertThat(inUse.text()).contains("Queue mail is not forgotten", "Live nodes declare it (pushes)",
                        "take it out").doesNotContain("It holds jobs");
            });
            assertThat(pushes.jobs().forget(MAIL)).isInstanceOf(ForgetQueueResult.InUse.class);
        }
        assertThat(orderly.jobs().forget(MAIL)).isEqualTo(new ForgetQueueResult.Forgotten(MAIL));
    }

    @Test
    void aRefusalNamesTheJobsAndTheRemedy() {
        StandardQueue<String> mail = orderly.queue("mail", String.class);
        mail.push("a");
        mail.push("b");
        Orderly other = node("node-b");
        ForgetQueueResult.InUse refused = (ForgetQueueResult.InUse) other.jobs().forget(MAIL);
        assertThat(refused.text()).isEqualTo("Queue mail is not forgotten. It holds jobs (2 waiting): let them end, or"
                + " cancel them with orderly bulk cancel --queue mail");
        assertThat(((ForgetQueueResult.InUse) orderly.jobs().forget(MAIL)).text())
                .contains("2 waiting", "Live nodes declare it (node-a)");
    }

    @Test
    void aQueueThatNeverWasIsUnknown() {
        assertThat(orderly.jobs().forget(MAIL)).isEqualTo(new ForgetQueueResult.Unknown(MAIL));
    }
}
