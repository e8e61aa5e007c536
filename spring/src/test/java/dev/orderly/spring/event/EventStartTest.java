package dev.orderly.spring.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.Job;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.spring.boot.OrderlyAutoConfiguration;
import dev.orderly.spring.boot.OrderlyEventAutoConfiguration;
import dev.orderly.spring.boot.OrderlyTransactionAutoConfiguration;
import dev.orderly.testkit.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.config.EventExternalizationAutoConfiguration;
import org.springframework.modulith.events.config.EventPublicationAutoConfiguration;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;
import org.springframework.modulith.events.support.PersistentApplicationEventMulticaster;

/** What is checked at the start, and what gives way, of events as jobs. */
class EventStartTest {
    private final ApplicationContextRunner plain = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OrderlyAutoConfiguration.class,
                    OrderlyTransactionAutoConfiguration.class, OrderlyEventAutoConfiguration.class,
                    EventPublicationAutoConfiguration.class, EventExternalizationAutoConfiguration.class,
                    AopAutoConfiguration.class))
            .withBean(Store.class, MemoryStore::new).withBean(MemoryPublications.class);
    /** Without this class's events, none of which names a queue that exists. */
    private final ApplicationContextRunner runner = plain.withUserConfiguration(OtherPackage.class)
            .withPropertyValues("orderly.handlers.enabled=false");

    @AutoConfigurationPackage(basePackages = "dev.orderly.spring.event.shop.billing")
    static class OtherPackage {}

    @AutoConfigurationPackage
    static class ThisPackage {}

    @Externalized("parcles.fifo::#{#this.name()}")
    record Misspelt(String name) {}

    @Externalized("parcels.fifo")
    record WithoutGroup(String name) {}

    @Externalized("letters::#{#this.name()}")
    record WithGroup(String name) {}

    @Externalized("#{'let' + 'ters'}")
    record ByExpression(String name) {}

    static class Post {
        @JobHandler("parcels.fifo")
        void parcel(Map<String, String> parcel) {}

        @JobHandler("letters")
        void letter(Map<String, String> letter, Job<?> job) {}
    }

    static class Base {}

    static final class Derived extends Base {}

    abstract static class Open {}

    static class Listeners {
        @ApplicationModuleListener
        void on(String text) {}

        @ApplicationModuleListener
        void base(Base event) {}

        @ApplicationModuleListener
        void open(Open event) {}

        @ApplicationModuleListener
        CompletableFuture<String> later(String text) {
            return CompletableFuture.completedFuture(text);
        }

        @ApplicationModuleListener(id = "same")
        void one(String text) {}

        @ApplicationModuleListener(id = "same")
        void other(String text) {}
    }

    private static Stream<String> queues(AssertableApplicationContext context, String... names) {
        return Stream.of(names)
                .filter(name -> context.getBean(Orderly.class).jobs().options(new QueueName(name)).isPresent());
    }

    @Test
    void eachTypeThatNamesNoFittingQueueIsListedWithTheRemedy() {
        plain.withUserConfiguration(ThisPackage.class).withBean(Post.class).run(context -> assertThat(context)
                .getFailure().isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("@Externalized Misspelt").hasMessageContaining("did you mean parcels.fifo?")
                .hasMessageContaining("@Externalized WithoutGroup")
                .hasMessageContaining("write @Externalized(\"parcels.fifo::#{#this.orderId()}\")")
                .hasMessageContaining("@Externalized WithGroup")
                .hasMessageContaining("end the name of the queue in .fifo")
                .extracting(Throwable::getMessage).asString().doesNotContain("ByExpression"));
        plain.withUserConfiguration(ThisPackage.class).withBean(Post.class)
                .withPropertyValues("orderly.events.externalize=false").run(context -> assertThat(context)
                        .hasNotFailed().doesNotHaveBean(ExternalizedEvents.class));
    }

    @Test
    void anEventThatNamesNoFittingQueueIsRefusedWhenItIsPublishedToo() {
        EventExternalizationConfiguration all = EventExternalizationConfiguration.externalizing()
                .select(EventExternalizationConfiguration.annotatedAsExternalized()).build();
        runner.withBean(Post.class).withBean(EventExternalizationConfiguration.class, () -> all).run(context -> {
            assertThatThrownBy(() -> context.publishEvent(new Misspelt("x"))).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("did you mean parcels.fifo?");
            assertThatThrownBy(() -> context.publishEvent(new WithGroup("x")))
                    .hasMessageContaining("end the name of the queue in .fifo");
        });
    }

    @Test
    void headersAreParamsAndTheHeaderDedupeIsTheDedupeId() {
        EventExternalizationConfiguration all = EventExternalizationConfiguration.externalizing()
                .select(EventExternalizationConfiguration.annotatedAsExternalized())
                .headers(ByExpression.class, event -> Map.of("dedupe", event.name(), "pages", 2)).build();
        runner.withBean(Post.class).withBean(EventExternalizationConfiguration.class, () -> all).run(context -> {
            for (String name : List.of("a", "b", "a")) {
                context.publishEvent(new ByExpression(name));
            }
            Orderly orderly = context.getBean(Orderly.class);
            assertThat(orderly.jobs().list(new QueueName("letters"), JobState.WAITING, null, 10)).hasSize(2)
                    .allSatisfy(job -> assertThat(orderly.jobs().find(job.id()).orElseThrow().params())
                            .containsOnly(Map.entry("pages", "2")));
        });
    }

    @Test
    void anotherExternalizerOfTheApplicationWins() {
        runner.withBean(EventExternalizerModuleListener.class, () -> new EventExternalizerModuleListener(
                EventExternalizationConfiguration.disabled(), (_, _) -> CompletableFuture.completedFuture(null)))
                .run(context -> assertThat(context).doesNotHaveBean(ExternalizedEvents.class));
    }

    @Test
    void theOutboxModeNeedsAStoreThatIsPartOfTheTransaction() {
        runner.withPropertyValues("spring.modulith.events.externalization.mode=outbox").run(context -> assertThat(
                context).getFailure().rootCause().isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("is outbox, and the store of the jobs is not in the database"));
    }

    @Test
    void aListenerWhoseEventsNoJobCouldCarryStaysWithSpringModulith() {
        runner.withBean("listeners", Listeners.class).run(context -> assertThat(queues(context,
                "event.listeners.on.String")).as("not adopted").isEmpty());
        runner.withBean("listeners", Listeners.class).withPropertyValues("orderly.events.adopt=true",
                "orderly.events.leave=listeners.on")
                .run(context -> assertThat(queues(context, "event.listeners.on.String",
                        "event.listeners.base.Base", "event.listeners.open.Open", "event.listeners.later.String",
                        "event.same")).containsExactly("event.listeners.base.Base", "event.same"));
    }

    @Test
    void anEventOfASubclassIsRefusedSinceItsJobWouldLoseIt() {
        runner.withBean("listeners", Listeners.class).withPropertyValues("orderly.events.adopt=true").run(context -> {
            AdoptedListener listener = context.getBean(AdoptedListeners.class).adopted("listeners.base");
            assertThatThrownBy(() -> listener.push(new Derived())).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("of the subclass").hasMessageContaining("orderly.events.leave");
        });
    }

    @Test
    void aMethodToLeaveThatDoesNotExistIsRefused() {
        runner.withBean("listeners", Listeners.class).withPropertyValues("orderly.events.adopt=true",
                "orderly.events.leave=listeners.bas").run(
                        context -> assertThat(context).getFailure()
                                .isInstanceOf(StartRefusedException.class)
                                .hasMessageContaining("did you mean listeners.base?"));
        runner.withPropertyValues("orderly.events.leave=listeners.base").run(context -> assertThat(context).getFailure()
                .isInstanceOf(StartRefusedException.class)
                .hasMessageContaining("no meaning without orderly.events.adopt: true"));
    }

    @Test
    void withoutSpringModulithThereIsNothingToAdopt() {
        ApplicationContextRunner without = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OrderlyAutoConfiguration.class,
                        OrderlyEventAutoConfiguration.class))
                .withBean(Store.class, MemoryStore::new)
                .withClassLoader(new FilteredClassLoader(PersistentApplicationEventMulticaster.class));
        without.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ApplicationListener.class));
        without.withPropertyValues("orderly.events.adopt=true").run(context -> assertThat(context).getFailure()
                .rootCause().isInstanceOf(StartRefusedException.class).hasMessageContaining("not on the class path"));
    }
}
