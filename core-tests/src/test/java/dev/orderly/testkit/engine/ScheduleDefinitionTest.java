package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.Registration;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.schedule.ScheduleDefinition;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.schedule.ScheduledRun;
import dev.orderly.schedule.Timing;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Schedules that are made, changed and removed at run time. */
class ScheduleDefinitionTest extends ScheduleTest {
    private static final Timing EVERY_FIVE = Timing.parse("every 5 minutes");

    private final List<String> ran = new CopyOnWriteArrayList<>();

    private static ScheduleDefinition into(String queue, Timing timing) {
        return ScheduleDefinition.of(timing, PushRequest.of(queue, Payload.json("{\"n\":1}")));
    }

    private Orderly worker(Orderly node) {
        node.handle(node.queue("mail", Payload.class),
                (payload, job) -> ran.add(job.params().get(ScheduledRun.INSTANT) + " " + payload.asText()));
        node.start();
        return node;
    }

    private static Optional<Timing> timing(Orderly node) {
        return node.schedules().view(REPORT).map(ScheduleView::timing);
    }

    @Test
    void aScheduleMadeAtRunTimeFiresOverAllNodesAndRestarts() {
        worker(orderly);
        Orderly other = worker(node("other"));
        orderly.scheduleDefinitions().change(REPORT, _ -> into("mail", MINUTELY), "ann");
        assertThat(timing(orderly)).contains(MINUTELY);
        awaitTrue(() -> timing(other).isPresent() && !store.schedules().states().isEmpty());
        assertThat(orderly.schedules().isDeclared(REPORT)).as("by a program").isFalse();
        time.advance(MINUTE);
        awaitTrue(() -> ran.size() == 1);
        orderly.stop();
        awaitTrue(() -> store.jobViews().find(lastJob()).orElseThrow().state().isEnd());
        time.advance(MINUTE);
        awaitTrue(() -> ran.size() == 2);
        assertThat(ran).containsExactly("2026-03-01T12:01:00Z {\"n\":1}", "2026-03-01T12:02:00Z {\"n\":1}");

        Orderly next = worker(node("next"));
        assertThat(timing(next)).as("from its start").contains(MINUTELY);
        assertThat(next.scheduleDefinitions().of(REPORT).by()).isEqualTo("ann");
        next.scheduleDefinitions().change(REPORT, _ -> into("mail", EVERY_FIVE), "eve");
        awaitTrue(() -> store.schedules().states().getFirst().timing().equals(EVERY_FIVE.toString()));
        awaitTrue(() -> timing(other).equals(Optional.of(EVERY_FIVE)));
        next.scheduleDefinitions().change(REPORT, _ -> ScheduleDefinition.NONE, "eve");
        awaitTrue(() -> store.schedules().states().isEmpty());
        assertThat(timing(next)).isEmpty();
        awaitTrue(() -> timing(other).isEmpty());
        next.stop();
        other.stop();
    }

    @Test
    void aNodeDeclaresAScheduleOnceItHasItsQueue() {
        orderly.start();
        orderly.scheduleDefinitions().change(REPORT, _ -> into("later", MINUTELY), "ann");
        assertThat(timing(orderly)).isEmpty();
        orderly.queue("later", Payload.class);
        awaitTrue(() -> timing(orderly).isPresent());
    }

    @Test
    void theScheduleOfAProgramCountsOnItsNode() {
        worker(orderly);
        orderly.scheduleDefinitions().change(REPORT, _ -> into("mail", EVERY_FIVE), "ann");
        assertThat(timing(orderly)).contains(EVERY_FIVE);
        Registration own = orderly.schedule("report", MINUTELY, orderly.queue("mail", Payload.class),
                Payload.json("{}"));
        assertThat(timing(orderly)).contains(MINUTELY);
        assertThat(orderly.schedules().isDeclared(REPORT)).isTrue();
        awaitCheck();
        assertThat(timing(orderly)).contains(MINUTELY);
        own.close();
        awaitTrue(() -> timing(orderly).equals(Optional.of(EVERY_FIVE)));
    }
}
