package dev.orderly.springtest;

import dev.orderly.Orderly;
import dev.orderly.spring.EngineCustomizer;
import dev.orderly.spring.boot.OrderlyAutoConfiguration;
import dev.orderly.spring.handler.TransactionalHandlers;
import dev.orderly.spring.transaction.HandlersInTransactions;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.harness.OrderlyHarness;
import dev.orderly.testkit.harness.PushRecorder;
import java.time.Duration;
import java.util.Random;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;

/** A store in memory, clocks that the test moves, and the harness of both. */
@AutoConfiguration(before = OrderlyAutoConfiguration.class)
class HarnessAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    ManualTime orderlyManualTime() {
        return new ManualTime();
    }

    @Bean
    @ConditionalOnMissingBean
    PushRecorder orderlyPushRecorder(ManualTime time) {
        return new PushRecorder(new MemoryStore(time));
    }

    /** With the same random numbers in every test, and without a wait for handlers at the end. */
    @Bean
    EngineCustomizer orderlyHarnessTime(ManualTime time) {
        return options -> options.withTime(time).withRandom(new Random(1)).withStopGrace(Duration.ZERO);
    }

    /** Handlers with {@code inTransaction}: their jobs are completed after the commit. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PlatformTransactionManager.class)
    static class InTransaction {
        @Bean
        @ConditionalOnMissingBean
        TransactionalHandlers orderlyHarnessTransactions(BeanFactory beans) {
            return new HandlersInTransactions(beans, null);
        }
    }

    @Bean(destroyMethod = "") // the bean of Orderly is closed
    @ConditionalOnMissingBean
    OrderlyHarness orderlyHarness(Orderly orderly, PushRecorder store, ManualTime time) {
        return OrderlyHarness.of(orderly, store, time);
    }
}
