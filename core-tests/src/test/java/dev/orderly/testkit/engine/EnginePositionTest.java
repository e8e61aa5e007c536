package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueuePosition;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Positions of waiting jobs, and callbacks for changes. */
class EnginePositionTest extends EngineTest {
    private QueuePosition place(JobId id) {
        return orderly.jobs().position(id).orElseThrow();
    }

    @Test
    void theEstimateIsUnknownUntilARateWasMeasured() {
        var mail = orderly.queue("mail", String.class);
        mail.push("a");
        assertThat(place(mail.push("b"))).isEqualTo(new QueuePosition(1, false, null));
    }

    @Test
    void theEstimateOfAStandardQueueFollowsItsDrainRate() {
        var mail = orderly.queue("mail", String.class);
        orderly.handle(mail, (_, _) -> {});
        orderly.start();
        for (int second = 0; second < 30; second++) {
            JobId id = mail.push("job " + second);
            awaitState(id, JobState.DONE);
            time.advance(Duration.ofSeconds(1));
        }
        orderly.jobs().pause(mail.name(), true);
        JobId last = mail.push("0");
        for (int i = 1; i <= 20; i++) {
            last = mail.push(Integer.toString(i));
        }
        QueuePosition place = place(last);
        assertThat(place.ahead()).isEqualTo(20);
        QueuePosition.Wait estimate = Objects.requireNonNull(place.estimate());
        assertThat(estimate.low()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
        assertThat(estimate.high()).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(45));
        time.advance(Duration.ofHours(1));
        assertThat(place(last).estimate()).as("no job has ended for an hour").isNull();
    }

    @Test
    void theEstimateOfAGroupFollowsTheDurationOfItsJobs() {
        var steps = orderly.fifo("steps.fifo", String.class);
        orderly.handle(steps, (_, _) -> time.advance(Duration.ofSeconds(4)));
        orderly.start();
        JobId done = steps.group("g").push("a");
        awaitState(done, JobState.DONE);
        orderly.jobs().pause(steps.name(), true);
        steps.group("g").push("b");
        JobId last = steps.group("g").push("c");
        awaitTrue(() -> place(last).estimate() != null);
        QueuePosition.Wait estimate = Objects.requireNonNull(place(last).estimate());
        assertThat(estimate.low()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
        assertThat(estimate.high()).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(20));
    }

    @Test
    void aJobThatIsNotWaitingHasNoPosition() {
        var mail = orderly.queue("mail", String.class);
        JobId id = mail.push("a");
        orderly.jobs().cancel(id);
        assertThat(orderly.jobs().position(id)).isEmpty();
    }

    @Test
    void callbacksAreNotifiedOfStartsProgressEndsAndCancellations() {
        Set<String> received = ConcurrentHashMap.newKeySet();
        var mail = orderly.queue("mail", String.class);
        orderly.jobs().onChange(id -> {
            var job = view(id);
            received.add(job.state().text() + (job.progress() == null ? "" : " " + job.progress().text()));
        });
        orderly.handle(mail, (_, job) -> {
            job.progress(1, 2, "half");
            awaitTrue(() -> received.contains("running half"));
        });
        orderly.jobs().cancel(mail.push("a"));
        mail.push("b");
        orderly.start();
        awaitTrue(() -> received.containsAll(Set.of("cancelled", "running", "running half", "done half")));
    }
}
