package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Push.Answer;
import dev.orderly.job.PushRefusedException.Reason;
import dev.orderly.job.QueueName;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.store.JobObserver;
import dev.orderly.testkit.resilience.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Pushes without a dedupe id on FIFO queues. */
class EngineContentDedupeTest extends EngineTest {
    private static final RetryPolicy AGAIN = new RetryPolicy(3, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), 0);

    @Test
    void aHandlerThatPushesAnEqualPayloadGoesOn() {
        FifoQueue<String> imports = orderly.fifo("imports.fifo", String.class);
        BlockingQueue<JobId> chunks = new LinkedBlockingQueue<>();
        orderly.handle(imports, (_, job) -> {
            chunks.add(job.id());
            if (chunks.size() < 4) {
                job.again("next chunk");
            }
        });
        orderly.start();
        imports.group("a").push("next chunk");
        awaitTrue(() -> chunks.size() == 4);
        assertThat(chunks).doesNotHaveDuplicates();
    }

    @Test
    void aRetryOfTheHandlerPushesNothingTwice() {
        FifoQueue<String> steps = orderly.fifo("steps.fifo", String.class, o -> o.withRetry(AGAIN));
        FifoQueue<String> mails = orderly.fifo("mails.fifo", String.class);
        BlockingQueue<JobId> pushed = new LinkedBlockingQueue<>();
        orderly.handle(steps, (_, job) -> {
            JobId mail = mails.group("ann").push("thanks");
            assertThat(mails.group("ann").tryPush("thanks")).isEqualTo(new Answer.Duplicate(mail));
            pushed.add(mail);
            if (job.failures() < 2) {
                throw new IllegalStateException("fails after its push");
            }
        });
        orderly.start();
        JobId first = steps.group("a").push("one");
        awaitState(first, JobState.DONE);
        assertThat(pushed).hasSize(3).containsOnly(pushed.peek());
        JobId second = steps.group("a").push("two");
        awaitState(second, JobState.DONE);
        assertThat(List.copyOf(pushed).getLast()).as("another job means another push").isNotEqualTo(pushed.peek());
    }

    @Test
    void aThreadOfTheHandlerPushesForItsJob() {
        FifoQueue<String> imports = orderly.fifo("imports.fifo", String.class);
        AtomicReference<JobId> next = new AtomicReference<>();
        orderly.handle(imports, (_, job) -> {
            if (next.get() == null) {
                Thread.ofVirtual().start(() -> next.set(job.again("chunk"))).join();
            }
        });
        orderly.start();
        JobId first = imports.group("a").push("chunk");
        awaitTrue(() -> next.get() != null);
        assertThat(next.get()).as("another job").isNotEqualTo(first);
    }

    @Test
    void aDedupeIdStandsForTheSameJobWhicheverJobPushesIt() {
        FifoQueue<String> steps = orderly.fifo("steps.fifo", String.class);
        FifoQueue<String> mails = orderly.fifo("mails.fifo", String.class);
        BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
        orderly.handle(steps, (_, _) -> answers.add(mails.group("ann").dedupe("welcome").tryPush("hello")));
        orderly.start();
        steps.group("a").push("one");
        steps.group("a").push("two");
        awaitTrue(() -> answers.size() == 2);
        List<Answer> both = List.copyOf(answers);
        assertThat(both.getFirst()).isInstanceOf(Answer.Accepted.class);
        assertThat(both.getLast()).isInstanceOf(Answer.Duplicate.class);
    }

    @Test
    void aQueueMayCompareNoContent() {
        FifoQueue<String> clicks = orderly.fifo("clicks.fifo", String.class,
                o -> o.withContentDedupe(false));
        assertThat(clicks.group("a").push("click")).isNotEqualTo(clicks.group("a").push("click"));
        JobId once = clicks.group("a").dedupe("c1").push("click");
        assertThat(clicks.group("a").dedupe("c1").tryPush("click")).isEqualTo(new Answer.Duplicate(once));
    }

    @Test
    void tryPushAnswersWhatHappened() {
        FifoQueue<String> orders = orderly.fifo("orders.fifo", String.class,
                o -> o.withMaxPayload(10));
        Answer first = orders.group("a").tryPush("order");
        assertThat(first).isInstanceOf(Answer.Accepted.class);
        JobId id = ((Answer.Accepted) first).id();
        assertThat(orders.group("a").tryPush("order")).isEqualTo(new Answer.Duplicate(id));
        assertThat(refusal(orders.group("a").tryPush("a long order"))).isEqualTo(Reason.TOO_LARGE);
        FifoQueue<String> full = orderly.fifo("full.fifo", String.class, o -> o.withMaxPending(1));
        full.group("a").push("first");
        assertThat(refusal(full.group("a").tryPush("second"))).isEqualTo(Reason.QUEUE_FULL);
        StandardQueue<String> mails = orderly.queue("mails", String.class);
        assertThat(mails.tryPush("hello")).isInstanceOf(Answer.Accepted.class);
        mails.dedupe("m").push("one");
        assertThat(refusal(mails.dedupe("m").tryPush("two"))).isEqualTo(Reason.KEY_REUSED);
    }

    private static Reason refusal(Answer answer) {
        return ((Answer.Refused) answer).why().reason();
    }

    @Test
    void whatWasTakenForTheSameIsLoggedOnceAMinuteAndCounted() {
        BlockingQueue<QueueName> counted = new LinkedBlockingQueue<>();
        try (LogLines lines = LogLines.of("dev.orderly.job.engine.DeclaredQueue", Level.INFO);
                Orderly other = Orderly.open(store, options("other").withObserver(new JobObserver() {
                    @Override
                    public void foundEqual(QueueName queue) {
                        counted.add(queue);
                    }
                }))) {
            FifoQueue<String> orders = other.fifo("orders.fifo", String.class);
            JobId first = orders.group("a").push("order");
            for (int n = 0; n < 5; n++) {
                orders.group("a").push("order");
            }
            orders.group("a").dedupe("7").push("order");
            orders.group("a").dedupe("7").push("order");
            time.advance(Duration.ofMinutes(1));
            orders.group("a").push("order");
            assertThat(counted).hasSize(6).containsOnly(orders.name());
            List<String> written = lines.events().stream().map(ILoggingEvent::getFormattedMessage).toList();
            assertThat(written).hasSize(2);
            assertThat(written.getFirst()).contains("orders.fifo", first.toString());
            assertThat(written.getLast()).contains("(and 4 like it since the last line)");
        }
    }
}
