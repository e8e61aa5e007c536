package dev.orderly.spring.boot;

import dev.orderly.Internal;
import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.spring.EngineCustomizer;
import dev.orderly.spring.StoreCustomizer;
import dev.orderly.spring.observe.ObservedWork;
import dev.orderly.spring.observe.QueueGauges;
import dev.orderly.spring.observe.SpringJobMeters;
import dev.orderly.store.StoreObserver;
import dev.orderly.time.Time;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Observations, traces and meters of jobs, where the application has a registry of them. */
@Internal(to = "dev.orderly")
@AutoConfiguration(after = OrderlyAutoConfiguration.class, afterName = {
        "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
        "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
        "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"})
@ConditionalOnBean(Orderly.class)
@ConditionalOnBooleanProperty(name = "orderly.enabled", matchIfMissing = true)
public class OrderlyObservationAutoConfiguration {
    /** Observations. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    @ConditionalOnBean(ObservationRegistry.class)
    static class Observations {
        /** The first, so that a tracer of the application wins. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        EngineCustomizer orderlyObservations(ObservationRegistry registry) {
            return options -> options.withTracer(new ObservedWork(registry));
        }
    }

    /** Meters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class Meters {
        @Bean
        @ConditionalOnMissingBean
        SpringJobMeters orderlyJobMeters(MeterRegistry registry) {
            return new SpringJobMeters(registry);
        }

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        EngineCustomizer orderlyRunMeters(SpringJobMeters meters) {
            return options -> options.withObserver(meters);
        }

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        StoreCustomizer orderlyStoreMeters(SpringJobMeters meters) {
            return store -> Store.observed(store, StoreObserver.NONE, meters);
        }

        @Bean
        @ConditionalOnMissingBean
        QueueGauges orderlyQueueGauges(Orderly orderly) {
            return new QueueGauges(orderly, Time.system());
        }
    }
}
