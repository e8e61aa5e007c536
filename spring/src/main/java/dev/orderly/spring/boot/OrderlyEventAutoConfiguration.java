package dev.orderly.spring.boot;

import dev.orderly.Internal;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.spring.event.AdoptedListeners;
import dev.orderly.spring.event.ExternalizedEvents;
import dev.orderly.spring.event.ExternalizedTypes;
import dev.orderly.spring.event.ExternalizerAfterCommit;
import dev.orderly.spring.event.ExternalizerInTransaction;
import dev.orderly.spring.handler.HandlerRegistrar;
import dev.orderly.spring.transaction.JoinedTransactions;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.ExternalizationMode;
import org.springframework.modulith.events.support.PersistentApplicationEventMulticaster;

/**
 * Events of Spring Modulith as jobs: by {@code orderly.events.adopt} those for methods with
 * {@code @ApplicationModuleListener}, and those with {@code @Externalized} unless another module of Spring Modulith
 * externalizes them, or {@code orderly.events.externalize} is false.
 */
@Internal(to = "dev.orderly")
@AutoConfiguration(after = {OrderlyAutoConfiguration.class, OrderlyTransactionAutoConfiguration.class}, afterName = {
        "org.springframework.modulith.events.config.EventPublicationAutoConfiguration",
        "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration",
        "org.springframework.modulith.events.amqp.RabbitEventExternalizerConfiguration",
        "org.springframework.modulith.events.jms.JmsEventExternalizerConfiguration",
        "org.springframework.modulith.events.kafka.KafkaEventExternalizerConfiguration",
        "org.springframework.modulith.events.messaging.SpringMessagingEventExternalizerConfiguration",
        "org.springframework.modulith.events.jobrunr.JobRunrEventExternalizationAutoConfiguration",
        "org.springframework.modulith.events.namastack.NamastackOutboxEventRecorderAutoConfiguration"})
@ConditionalOnBean(HandlerRegistrar.class)
@ConditionalOnBooleanProperty(name = "orderly.enabled", matchIfMissing = true)
public class OrderlyEventAutoConfiguration {
    /** Listeners whose events are jobs. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PersistentApplicationEventMulticaster.class)
    @ConditionalOnBooleanProperty("orderly.events.adopt")
    static class Adoption {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        @ConditionalOnMissingBean
        static AdoptedListeners orderlyAdoptedListeners(ConfigurableApplicationContext context) {
            return new AdoptedListeners(context);
        }
    }

    /** A property that nothing could fulfil. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.modulith.events.support.PersistentApplicationEventMulticaster")
    @ConditionalOnBooleanProperty("orderly.events.adopt")
    static class NothingToAdopt {
        NothingToAdopt() {
            throw new StartRefusedException(
                    "orderly.events.adopt is true, and Spring Modulith is not on the class path",
                    "Add org.springframework.modulith:spring-modulith-events-core, or remove the property.");
        }
    }

    /** Events that are pushed into queues. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PersistentApplicationEventMulticaster.class)
    @ConditionalOnBean(EventExternalizationConfiguration.class)
    @ConditionalOnMissingBean(type = {"org.springframework.modulith.events.support.EventExternalizerModuleListener",
            "org.springframework.modulith.events.support.DelegatingEventExternalizer",
            "org.springframework.modulith.events.jobrunr.JobRunrEventExternalizer",
            "org.springframework.modulith.events.namastack.NamastackOutboxEventRecorder"})
    @ConditionalOnBooleanProperty(name = "orderly.events.externalize", matchIfMissing = true)
    static class Externalization {
        private static final String OUTBOX = "outbox";

        @Bean
        @ConditionalOnMissingBean
        ExternalizedEvents orderlyExternalizedEvents(EventExternalizationConfiguration configuration,
                ConfigurableApplicationContext context) {
            return new ExternalizedEvents(configuration, context);
        }

        @Bean
        @ConditionalOnMissingBean(name = "orderlyEventExternalizer")
        ApplicationListener<PayloadApplicationEvent<?>> orderlyEventExternalizer(ExternalizedEvents events,
                ObjectProvider<JoinedTransactions> transactions, Environment environment, BeanFactory beans) {
            JoinedTransactions joined = transactions.getIfAvailable();
            if (joined != null && joined.canJoin()) {
                return new ExternalizerInTransaction(events);
            }
            if (OUTBOX.equalsIgnoreCase(environment.getProperty(ExternalizationMode.PROPERTY))) {
                throw new StartRefusedException(
                        ExternalizationMode.PROPERTY + " is outbox, and the store of the jobs is not in"
                                + " the database of the application's transactions",
                        "Keep the jobs in the PostgreSQL database of spring.datasource (orderly.store: datasource), or"
                                + " remove the property: events are then pushed after the commit.");
            }
            return new ExternalizerAfterCommit(events, beans);
        }

        @Bean
        @ConditionalOnMissingBean
        ExternalizedTypes orderlyExternalizedTypes(ConfigurableListableBeanFactory beans, ExternalizedEvents events) {
            return new ExternalizedTypes(beans, events);
        }
    }
}
