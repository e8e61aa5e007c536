package dev.orderly.spring.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.QueueName;
import dev.orderly.schedule.PastRun.Outcome;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.schedule.ScheduledRun;
import dev.orderly.spring.EngineCustomizer;
import dev.orderly.spring.OrderlySchedule;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.spring.boot.OrderlyAutoConfiguration;
import dev.orderly.spring.boot.OrderlyScheduleAutoConfiguration;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.harness.OrderlyHarness;
import dev.orderly.testkit.harness.PushRecorder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;

/** Schedules that are methods, of Orderly and of Spring. */
class ScheduleMethodsTest {
    private final ManualTime time = new ManualTime();
    private final PushRecorder store = new PushRecorder(new MemoryStore(time));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OrderlyScheduleAutoConfiguration.class,
                    OrderlyAutoConfiguration.class))
            .withUserConfiguration(Scheduling.class)
            .withBean(EngineCustomizer.class, () -> options -> options.withTime(time).withStopGrace(Duration.ZERO))
            .withBean(Store.class, () -> store);

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    static class Cleaner {
        final AtomicInteger purged = new AtomicInteger();
        final AtomicInteger polled = new AtomicInteger();

        @Scheduled(cron = "0 0 3 * * *", zone = "Europe/Berlin")
        void purge() {
            purged.incrementAndGet();
        }

        @Scheduled(fixedRateString = "${poll:6}", timeUnit = TimeUnit.HOURS)
        @Scheduled(cron = "0 10 4 * * *", zone = "UTC")
        @SuppressWarnings("UnusedMethod") // Spring calls private methods too
        private void poll() throws Exception {
            if (polled.incrementAndGet() == 1) {
                throw new Exception("no answer");
            }
        }

        @Scheduled(fixedDelayString = "${clean:PT3H}")
        void afterEach() {}

        @Scheduled(fixedDelay = 3_600_500)
        void halfASecond() {}

        @Scheduled(cron = "0 0 0 13 * FRI")
        void otherInstants() {}

        @Scheduled(initialDelay = 3_600_000)
        void once() {}

        @Scheduled(cron = "-")
        void off() {}
    }

    static class Reminder {
        final List<Instant> runs = new CopyOnWriteArrayList<>();

        @OrderlySchedule(value = "daily at ${hour:07}:00", zone = "Europe/Berlin", timeout = "20m")
        String remind(ScheduledRun run) {
            runs.add(run.instant());
            return "reminded";
        }

        @OrderlySchedule(value = "every 12 hours", name = "ticks")
        void tick() {}
    }

    static class WrongTiming {
        @OrderlySchedule("now and then")
        void run() {}
    }

    static class WrongZone {
        @OrderlySchedule(value = "daily", zone = "Mars/Olympus")
        void run() {}
    }

    static class Twice {
        @OrderlySchedule("daily")
        @Scheduled(cron = "@daily")
        void run() {}
    }

    static class Arguments {
        @OrderlySchedule("daily")
        void run(String what) {}
    }

    private static int left(AssertableApplicationContext context) {
        return context.getBean(ScheduledAnnotationBeanPostProcessor.class).getScheduledTasks().size();
    }

    private static List<String> schedules(AssertableApplicationContext context) {
        return context.getBean(Orderly.class).schedules().views().stream().map(view -> view.name().value()).toList();
    }

    @Test
    void scheduledMethodsStayWithSpringUnlessTheyAreAdopted() {
        runner.withBean("cleaner", Cleaner.class).run(context -> {
            assertThat(left(context)).isEqualTo(7);
            assertThat(schedules(context)).isEmpty();
        });
    }

    @Test
    void adoptedMethodsRunOnceOverAllNodesAndHaveAHistory() {
        ApplicationContextRunner adopting = runner.withBean("cleaner", Cleaner.class)
                .withPropertyValues("orderly.schedules.adopt=true");
        adopting.run(first -> adopting.run(second -> {
            assertThat(schedules(first)).containsExactly("cleaner.afterEach", "cleaner.poll", "cleaner.poll-2",
                    "cleaner.purge");
            assertThat(left(first)).as("a part of a second, other instants, a task that runs once").isEqualTo(3);
            OrderlyHarness harness = OrderlyHarness.of(first.getBean(Orderly.class), store, time);
            harness.advance(Duration.ofDays(1));

            Cleaner one = first.getBean(Cleaner.class);
            Cleaner other = second.getBean(Cleaner.class);
            assertThat(one.purged.get() + other.purged.get()).isEqualTo(1);
            assertThat(one.polled.get() + other.polled.get()).isEqualTo(4 + 1);
            ScheduleView poll = first.getBean(Orderly.class).schedules().view(new ScheduleName("cleaner.poll"))
                    .orElseThrow();
            assertThat(poll.runs()).hasSize(4).allMatch(run -> run.endedAt() != null);
            ScheduleView purge = first.getBean(Orderly.class).schedules().view(new ScheduleName("cleaner.purge"))
                    .orElseThrow();
            assertThat(purge.last()).isEqualTo(Instant.parse("2026-03-02T02:00:00Z"));
            ScheduleView cleaned = first.getBean(Orderly.class).schedules()
                    .view(new ScheduleName("cleaner.afterEach")).orElseThrow();
            assertThat(cleaned.timing().text()).isEqualTo("every 3 hours after the end");
            // each end is seen a moment later, which may put off the run of the last hour
            assertThat(cleaned.runs()).hasSizeBetween(7, 8).allMatch(run -> run.endedAt() != null);
        }));
    }

    @Test
    void aFailureOfAnAdoptedMethodIsTheOutcomeOfItsRun() {
        runner.withBean("cleaner", Cleaner.class).withPropertyValues("orderly.schedules.adopt=true").run(context -> {
            OrderlyHarness.of(context.getBean(Orderly.class), store, time).advance(Duration.ofHours(7));
            ScheduleView poll = context.getBean(Orderly.class).schedules().view(new ScheduleName("cleaner.poll"))
                    .orElseThrow();
            assertThat(poll.runs()).singleElement().matches(run -> run.outcome() == Outcome.DEAD);
        });
    }

    @Test
    void methodsThatAreListedRunOnEveryNode() {
        runner.withBean("cleaner", Cleaner.class).withPropertyValues("orderly.schedules.adopt=true",
                "orderly.schedules.leave=cleaner.poll").run(context -> {
                    assertThat(schedules(context)).containsExactly("cleaner.afterEach", "cleaner.purge");
                    assertThat(left(context)).isEqualTo(5);
                });
        runner.withBean("cleaner", Cleaner.class).withPropertyValues("orderly.schedules.adopt=true",
                "orderly.schedules.leave=cleaner.pol").run(
                        context -> assertThat(context).getFailure()
                                .isInstanceOf(StartRefusedException.class)
                                .hasMessageContaining("did you mean cleaner.poll?"));
    }

    @Test
    void aProcessWithoutHandlersRunsNoSchedule() {
        runner.withBean("cleaner", Cleaner.class).withBean(Reminder.class).withPropertyValues(
                "orderly.schedules.adopt=true", "orderly.handlers.enabled=false").run(context -> {
                    assertThat(schedules(context)).isEmpty();
                    assertThat(left(context)).isEqualTo(3);
                });
    }

    @Test
    void aMethodRunsAtTheInstantsOfItsTiming() {
        runner.withBean("reminder", Reminder.class)
                .withPropertyValues("orderly.queues[schedule.ticks].timeout=2m", "hour=08").run(context -> {
                    assertThat(schedules(context)).containsExactly("reminder.remind", "ticks");
                    Orderly orderly = context.getBean(Orderly.class);
                    OrderlyHarness.of(orderly, store, time).advance(Duration.ofDays(1));
                    assertThat(context.getBean(Reminder.class).runs)
                            .containsExactly(Instant.parse("2026-03-02T07:00:00Z"));
                    assertThat(
                            orderly.jobs().options(new QueueName("schedule.reminder.remind")).orElseThrow().timeout())
                            .isEqualTo(Duration.ofMinutes(20));
                    assertThat(orderly.jobs().options(new QueueName("schedule.ticks")).orElseThrow().timeout())
                            .isEqualTo(Duration.ofMinutes(2));
                });
    }

    @Test
    void aMethodThatCannotBeAScheduleIsRefused() {
        refused(WrongTiming.class, "@OrderlySchedule WrongTiming.run: \"now and then\" is not a timing");
        refused(WrongZone.class, "\"Mars/Olympus\" is not a time zone");
        refused(Twice.class, "has @Scheduled too");
        refused(Arguments.class, "take nothing, or a ScheduledRun");
    }

    private void refused(Class<?> bean, String message) {
        runner.withBean(bean).run(context -> assertThat(context).getFailure().isInstanceOf(StartRefusedException.class)
                .hasMessageContaining(message));
    }
}
