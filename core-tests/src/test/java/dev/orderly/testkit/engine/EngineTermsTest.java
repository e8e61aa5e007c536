package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Push;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRequest;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** What a push says of its job in place of the queue. */
class EngineTermsTest extends EngineTest {
    private final StandardQueue<String> mail = orderly.queue("mail", String.class);
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final Semaphore mayEnd = new Semaphore(0);

    @Test
    void aJobThatExpiresBehindAnotherOfItsRunDoesNotStart() {
        FifoQueue<String> orders = orderly.fifo("orders.fifo", String.class);
        orderly.handle(orders, (text, _) -> {
            begun.add(text);
            mayEnd.acquire();
        });
        JobId first = orders.group("g").push("first");
        JobId late = orders.group("g").expires(Duration.ofMinutes(1)).push("late");
        JobId last = orders.group("g").push("last");
        orderly.start();
        awaitTrue(() -> begun.size() == 1 && view(late).state() == JobState.RUNNING);
        time.jump(Duration.ofMinutes(1));
        mayEnd.release(2);
        awaitState(last, JobState.DONE);
        assertThat(view(first).state()).isEqualTo(JobState.DONE);
        assertThat(view(late).state()).isEqualTo(JobState.CANCELLED);
        assertThat(view(late).reason()).startsWith("Expired");
        assertThat(begun).containsExactly("first", "last");
    }

    @Test
    void aJobThatNoNodeClaimsEndsWhenItExpires() {
        orderly.start();
        JobId id = mail.expires(Duration.ofMinutes(1)).push("a");
        awaitState(id, JobState.CANCELLED);
        assertThat(time.now()).isAfterOrEqualTo(id.pushedAt().plus(Duration.ofMinutes(1)));
    }

    @Test
    void theRetryPolicyAndTheTimeoutOfAPushReplaceThoseOfTheQueue() {
        orderly.handle(mail, (text, _) -> {
            begun.add(text);
            if (text.equals("fails")) {
                throw new IllegalStateException("always");
            }
            mayEnd.acquire();
        });
        orderly.start();
        JobId fails = mail.retry(RetryPolicy.none()).push("fails");
        awaitState(fails, JobState.DEAD);
        assertThat(view(fails).failures()).isOne();
        JobId slow = mail.retry(RetryPolicy.none()).timeout(Duration.ofSeconds(2)).push("slow");
        awaitState(slow, JobState.DEAD);
        assertThat(failure(slow).summary()).isEqualTo("Timed out after 2 s");
        assertThat(begun).containsExactly("fails", "slow");
    }

    @Test
    void aPushUnderAUniqueKeyIsAnsweredWithTheJobThatWaits() {
        JobId first = mail.unique("k").push("a");
        assertThat(mail.unique("k").tryPush("b")).isEqualTo(new Push.Answer.Duplicate(first));
        assertThat(mail.unique("l").tryPush("b")).isInstanceOf(Push.Answer.Accepted.class);
        FifoQueue<String> orders = orderly.fifo("orders.fifo", String.class);
        assertThat(orders.group("g").unique("k").push("a")).isNotEqualTo(orders.group("g").unique("l").push("a"));
    }

    @Test
    void aDebouncedJobStartsWithTheLastPayloadOnceItsKeyIsQuiet() {
        orderly.handle(mail, (text, _) -> begun.add(text));
        Push<String> index = mail.debounce("index-7", Duration.ofSeconds(5)).atMost(Duration.ofMinutes(1));
        JobId first = index.push("a");
        assertThat(index.tryPush("b")).isEqualTo(new Push.Answer.Replaced(first));
        assertThat(index.push("c")).isEqualTo(first);
        orderly.start();
        awaitState(first, JobState.DONE);
        assertThat(begun).containsExactly("c");
        assertThat(time.now()).isAfterOrEqualTo(first.pushedAt().plus(Duration.ofSeconds(5)));
    }

    @Test
    void aDebouncedJobIsNotHandedOffBeforeItsNextPush() {
        orderly.handle(mail, (text, _) -> {
            begun.add(text);
            mayEnd.acquire();
        });
        orderly.start();
        JobId before = mail.push("before");
        mayEnd.release();
        awaitState(before, JobState.DONE);
        JobId id = mail.debounce("k", Duration.ZERO).push("a");
        awaitTrue(() -> begun.contains("a"));
        JobId next = mail.debounce("k", Duration.ZERO).push("b");
        assertThat(next).isNotEqualTo(id);
        mayEnd.release(2);
        awaitState(next, JobState.DONE);
        assertThat(begun).containsExactly("before", "a", "b");
    }

    @Test
    void anIdIsKeptForTheTimeOfItsPush() {
        JobId first = mail.dedupe("d", Duration.ofHours(2)).push("a");
        time.jump(Duration.ofMinutes(119));
        assertThat(mail.dedupe("d", Duration.ofHours(2)).tryPush("a")).isEqualTo(new Push.Answer.Duplicate(first));
        assertThat(mail.dedupe("d", Duration.ofHours(2)).tryPush("b")).isInstanceOf(Push.Answer.Refused.class);
        time.jump(Duration.ofMinutes(1));
        assertThat(mail.dedupe("d", Duration.ofHours(2)).tryPush("b")).isInstanceOf(Push.Answer.Accepted.class);
    }

    @Test
    void aDebouncedPushThatContradictsItselfIsRefused() {
        Push<String> debounced = mail.debounce("k", Duration.ofMinutes(1));
        assertThatThrownBy(() -> debounced.dedupe("d").push("a")).isInstanceOf(PushRefusedException.class)
                .hasMessageContaining("debounce key and a dedupe id");
        assertThatThrownBy(() -> debounced.unique("u").push("a")).isInstanceOf(PushRefusedException.class)
                .hasMessageContaining("debounce key and a unique key");
        assertThatThrownBy(() -> debounced.pushAll(List.of("a", "b"))).isInstanceOf(PushRefusedException.class)
                .hasMessageContaining("one debounce key");
        assertThatThrownBy(() -> debounced.atMost(Duration.ofSeconds(59)).push("a"))
                .isInstanceOf(PushRefusedException.class).hasMessageContaining("use its quiet time to 365 days");
        assertThatThrownBy(() -> mail.unique("u").atMost(Duration.ofHours(1)).push("a"))
                .isInstanceOf(PushRefusedException.class).hasMessageContaining("no debounce key");
        orderly.fifo("orders.fifo", String.class);
        PushRequest ordered = debounced.with("a");
        assertThatThrownBy(() -> orderly.jobs().push(PushRequest.of("orders.fifo", ordered.payload()).withGroup("g")
                .withDebounce("k").withDelay(Duration.ofMinutes(1)))).isInstanceOf(PushRefusedException.class)
                .hasMessageContaining("FIFO and keeps push order").hasMessageContaining("unique(key)");
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofDays(8), Duration.ofSeconds(Long.MAX_VALUE))) {
            assertThatThrownBy(() -> mail.dedupe("d", wrong).push("a")).isInstanceOf(PushRefusedException.class)
                    .hasMessageContaining("use 1 ms to 7 days");
        }
        assertThatThrownBy(() -> orderly.jobs().push(debounced.with("a").withDebounce(null)
                .withDedupeFor(Duration.ofHours(1)))).isInstanceOf(PushRefusedException.class)
                .hasMessageContaining("has none: add the id");
    }

    @Test
    void aDebounceKeyOfAnotherUserIsRefused() {
        Push<String> index = mail.debounce("k", Duration.ofMinutes(1));
        JobId id = index.user(new UserId("ann")).push("a");
        assertThat(index.user(new UserId("bob")).tryPush("b")).isInstanceOfSatisfying(Push.Answer.Refused.class,
                refused -> assertThat(refused.why()).hasMessageContaining(id.toString())
                        .hasMessageContaining("belongs to another user"));
        assertThatThrownBy(() -> index.push("c")).isInstanceOf(PushRefusedException.class);
    }

    @Test
    void aPushThatContradictsItselfIsRefused() {
        assertThatThrownBy(() -> mail.unique("k").dedupe("d").push("a")).isInstanceOf(PushRefusedException.class)
                .hasMessageContaining("unique key and a dedupe id");
        assertThatThrownBy(() -> mail.unique("k").pushAll(List.of("a", "b"))).isInstanceOf(PushRefusedException.class)
                .hasMessageContaining("one unique key");
        assertThatThrownBy(() -> mail.expires(Duration.ofMinutes(1)).delay(Duration.ofMinutes(1)).push("a"))
                .isInstanceOf(PushRefusedException.class).hasMessageContaining("before it is due");
        assertThatThrownBy(() -> mail.expires(Duration.ZERO).push("a")).isInstanceOf(PushRefusedException.class)
                .hasMessageContaining("use 1 ms to 365 days");
        for (Duration endless : List.of(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertThatThrownBy(() -> mail.expires(endless).push("a")).isInstanceOf(PushRefusedException.class);
            assertThatThrownBy(() -> mail.timeout(endless).push("a")).isInstanceOf(PushRefusedException.class);
        }
        assertThatThrownBy(() -> mail.timeout(Duration.ofDays(8)).push("a")).isInstanceOf(PushRefusedException.class)
                .hasMessageContaining("1 ms to 7 days");
        assertThatThrownBy(() -> mail.unique("").push("a")).isInstanceOf(PushRefusedException.class)
                .hasMessageContaining("unique key");
    }
}
