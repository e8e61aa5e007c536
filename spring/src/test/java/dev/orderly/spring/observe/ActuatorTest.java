package dev.orderly.spring.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.ForwardingStore;
import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.OrderlySchedule;
import dev.orderly.spring.boot.OrderlyActuatorAutoConfiguration;
import dev.orderly.spring.boot.OrderlyAutoConfiguration;
import dev.orderly.spring.boot.OrderlyScheduleAutoConfiguration;
import dev.orderly.store.StoreException;
import dev.orderly.store.StorePart;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What an operator sees through the actuator. */
class ActuatorTest {
    private final AtomicBoolean broken = new AtomicBoolean();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OrderlyScheduleAutoConfiguration.class,
                    OrderlyAutoConfiguration.class, OrderlyActuatorAutoConfiguration.class))
            .withBean(Store.class, () -> new BreakableStore(broken)).withBean("work", Work.class)
            .withPropertyValues("management.endpoints.web.exposure.include=orderly");

    static class Work {
        @JobHandler("mails")
        void send(String mail) {}

        @OrderlySchedule(value = "daily at 07:00", zone = "Europe/Berlin")
        void remind() {}
    }

    private static final class BreakableStore extends ForwardingStore {
        private final AtomicBoolean broken;

        BreakableStore(AtomicBoolean broken) {
            super(new MemoryStore());
            this.broken = broken;
        }

        @Override
        public List<StorePart> parts() {
            return List.of(new StorePart("file", StorePart.Content.ALL, false, this::checkWritable));
        }

        @Override
        public void checkWritable() {
            if (broken.get()) {
                throw new StoreException.Unavailable("the disk is full", null);
            }
        }
    }

    @Test
    void healthIsDownWhileTheStoreCannotBeWritten() {
        runner.run(context -> {
            OrderlyHealth health = context.getBean("orderlyHealthIndicator", OrderlyHealth.class);
            assertThat(status(health).getStatus()).isEqualTo(Status.UP);
            broken.set(true);
            assertThat(status(health).getStatus()).isEqualTo(Status.DOWN);
            assertThat(status(health).getDetails()).containsEntry("store", "the disk is full");
        });
    }

    @Test
    void healthIsUpWithAWarningWhileASharedStoreIsAway() {
        FaultyStore store = new FaultyStore(new MemoryStore());
        try (Orderly orderly = Orderly.open(store)) {
            OrderlyHealth health = new OrderlyHealth(orderly);
            orderly.start();
            store.failRandomly(1, 1);
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(status(health).getDetails()
                    .get("warnings")).asString().contains("The store has not answered for "));
            assertThat(status(health).getStatus()).isEqualTo(Status.UP);
        }
    }

    private static Health status(OrderlyHealth health) {
        return health.health();
    }

    @Test
    void theEndpointListsQueuesAndSchedules() {
        runner.run(context -> {
            Orderly orderly = context.getBean(Orderly.class);
            orderly.queue("letters", String.class).delay(Duration.ofHours(1)).push("hello");

            OrderlyEndpoint.Answer answer = context.getBean(OrderlyEndpoint.class).orderly();
            assertThat(answer.queues()).extracting(OrderlyEndpoint.Queue::name)
                    .contains("letters", "mails", "schedule.work.remind");
            assertThat(answer.queues()).filteredOn(queue -> queue.name().equals("letters")).singleElement()
                    .matches(queue -> queue.delayed() == 1 && !queue.handled());
            assertThat(answer.schedules()).singleElement().matches(schedule -> schedule.name().equals("work.remind")
                    && schedule.zone().equals("Europe/Berlin") && schedule.next() != null);
        });
    }

    @Test
    void infoNamesTheVersion() {
        runner.run(context -> {
            Info.Builder info = new Info.Builder();
            context.getBean("orderlyInfoContributor", InfoContributor.class).contribute(info);
            assertThat(info.build().getDetails().get("orderly")).isInstanceOfSatisfying(Map.class,
                    details -> assertThat(details.get("version")).isNotNull());
        });
    }

    @Test
    void eachPartGivesWay() {
        runner.withPropertyValues("management.health.orderly.enabled=false", "management.info.orderly.enabled=false",
                "management.endpoint.orderly.access=NONE").run(
                        context -> assertThat(context).hasNotFailed()
                                .doesNotHaveBean(OrderlyHealth.class).doesNotHaveBean(InfoContributor.class)
                                .doesNotHaveBean(OrderlyEndpoint.class));
        runner.withClassLoader(new FilteredClassLoader(HealthIndicator.class,
                InfoContributor.class)).run(
                        context -> assertThat(context).hasNotFailed()
                                .doesNotHaveBean("orderlyHealthIndicator").doesNotHaveBean("orderlyEndpoint"));
    }
}
