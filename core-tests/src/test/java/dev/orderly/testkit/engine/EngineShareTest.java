package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Limit;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRefusedException.Reason;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.diagnosis.JobDiagnosis.Cause;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Costs of jobs, and shares of keys, as applications and handlers see them. */
class EngineShareTest extends EngineTest {
    record Export(String tenant, int number) {}

    private final List<Export> ran = new CopyOnWriteArrayList<>();

    @Test
    void aCostThatARateNeverGivesIsRefusedAndWhySaysWhatAJobCosts() {
        StandardQueue<Export> exports = orderly.queue("exports", Export.class, o -> o.withKey(Export::tenant)
                .withPerKey(Limit.of(10, Duration.ofMinutes(1))).withLimit(Limit.of(20, Duration.ofMinutes(1))));
        for (int cost : new int[]{0, -1, 11, 21, 1_000_001}) {
            assertThat(catchThrowableOfType(PushRefusedException.class,
                    () -> exports.cost(cost).push(new Export("acme", 0))))
                    .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.BOUNDS))
                    .hasMessageContaining("exports costs " + cost);
        }
        orderly.handle(exports, (export, _) -> ran.add(export));
        orderly.start();
        awaitState(exports.cost(7).push(new Export("acme", 0)), JobState.DONE);
        List<JobId> next = exports.cost(4).pushAll(List.of(new Export("acme", 1), new Export("beta", 0)));
        awaitState(next.get(1), JobState.DONE);
        awaitTrue(() -> orderly.why(next.getFirst()).cause() == Cause.KEY_LIMITED);
        assertThat(orderly.why(next.getFirst()).sentence())
                .contains("its key acme: 7 of 10 per 60s started, and the job costs 4");
        time.advance(Duration.ofSeconds(63));
        awaitState(next.getFirst(), JobState.DONE);
    }

    @Test
    void aCostThatANamedLimitNeverGivesIsRefusedAlsoOnANodeThatOnlyPushes() {
        orderly.limit("crm", Limit.of(20, Duration.ofMinutes(1)));
        StandardQueue<Export> exports = orderly.queue("exports", Export.class, o -> o.withLimit("crm"));
        assertThat(catchThrowableOfType(PushRefusedException.class, () -> exports.cost(21).push(new Export("acme", 0))))
                .hasMessageContaining("exports costs 21").hasMessageContaining("20 per 60s");
        exports.cost(20).push(new Export("acme", 0));
    }

    @Test
    void aKeyAboveItsShareStartsNothingWhileAnotherWaits() {
        StandardQueue<Export> exports = orderly.queue("exports", Export.class, o -> o.withKey(Export::tenant)
                .withPerKey(Limit.ofShare(50)).withLimit(Limit.concurrency(4)));
        CountDownLatch gate = new CountDownLatch(1);
        orderly.handle(exports, (export, _) -> {
            ran.add(export);
            assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
        });
        exports.pushAll(IntStream.range(0, 3).mapToObj(n -> new Export("acme", n)).toList());
        orderly.start();
        awaitTrue(() -> ran.size() == 3);
        List<JobId> next = exports
                .pushAll(List.of(new Export("acme", 3), new Export("beta", 0), new Export("beta", 1)));
        awaitTrue(() -> ran.size() == 4);
        awaitTrue(() -> orderly.why(next.getFirst()).cause() == Cause.LIMITED);
        assertThat(orderly.why(next.getFirst()).sentence())
                .contains("Its key acme has 3 of them, and its share is 2: other keys come first.");
        assertThat(orderly.why(next.get(2)).sentence()).contains("4 of 4 running").doesNotContain("share");
        assertThat(ran).contains(new Export("beta", 0)).doesNotContain(new Export("acme", 3));
        gate.countDown();
        awaitTrue(() -> ran.size() == 6);
    }

    @Test
    void aShareOfNothingIsRefusedWithTheRemedy() {
        assertThatIllegalArgumentException().isThrownBy(() -> orderly.queue("mails", Export.class,
                o -> o.withKey(Export::tenant).withPerKey(Limit.ofShare(50)))).withMessageContaining("give it such");
        assertThatIllegalArgumentException().isThrownBy(() -> orderly.queue("mails", Export.class,
                o -> o.withKey(Export::tenant).withPerKey(Limit.ofShare(50))
                        .withLimit(Limit.of(5, Duration.ofSeconds(1)))))
                .withMessageContaining("no limit with a concurrency");
        assertThatIllegalArgumentException().isThrownBy(() -> orderly.fifo("orders.fifo", Export.class,
                o -> o.withPerKey(Limit.ofShare(50)).withLimit(Limit.concurrency(5))))
                .withMessageContaining("share of each group");
        assertThatIllegalArgumentException().isThrownBy(() -> orderly.limit("crm", Limit.concurrency(5).share(50)))
                .withMessageContaining("QueueOptions.withPerKey");
        assertThatIllegalArgumentException().isThrownBy(() -> orderly.queue("mails", Export.class,
                o -> o.withLimit(Limit.concurrency(5).share(50)))).withMessageContaining("QueueOptions.withPerKey");
        for (int wrong : new int[]{-1, 0, 101}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Limit.ofShare(wrong));
        }
    }
}
