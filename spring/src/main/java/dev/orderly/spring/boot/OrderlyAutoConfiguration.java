package dev.orderly.spring.boot;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.transaction.AmbientTransaction;
import dev.orderly.live.LiveOptions;
import dev.orderly.spring.EngineCustomizer;
import dev.orderly.spring.StoreCustomizer;
import dev.orderly.spring.config.EngineSettings;
import dev.orderly.spring.config.OrderlyProperties;
import dev.orderly.spring.config.PropertyProblems;
import dev.orderly.spring.config.QueueProperties;
import dev.orderly.spring.handler.HandlerMethods;
import dev.orderly.spring.handler.HandlerRegistrar;
import dev.orderly.spring.queue.HandledQueues;
import dev.orderly.spring.queue.QueueBeans;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/**
 * Orderly in a Spring Boot application: a store, one {@link Orderly}, the methods with
 * {@link dev.orderly.spring.JobHandler}, and beans of their queues. Each bean gives way to one of the application, and
 * {@code orderly.enabled=false} switches all of it off.
 */
@AutoConfiguration(afterName = {"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
        "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration"})
@ConditionalOnBooleanProperty(name = "orderly.enabled", matchIfMissing = true)
@EnableConfigurationProperties(OrderlyProperties.class)
public class OrderlyAutoConfiguration {
    private static final String QUEUES = "orderlyHandledQueues";

    @Bean
    @ConditionalOnMissingBean({Store.class, Orderly.class})
    StoreChoice orderlyStoreChoice(OrderlyProperties properties, BeanFactory beans) {
        return StoreChoice.of(properties, beans);
    }

    @Bean
    @ConditionalOnMissingBean({Store.class, Orderly.class})
    Store orderlyStore(StoreChoice choice) {
        return choice.open();
    }

    @Bean
    @ConditionalOnMissingBean
    Orderly orderly(Store store, OrderlyProperties properties, ObjectProvider<JsonMapper> json,
            ObjectProvider<AmbientTransaction> transactions, ObjectProvider<EngineCustomizer> engineCustomizers,
            ObjectProvider<StoreCustomizer> storeCustomizers) {
        PropertyProblems problems = new PropertyProblems();
        JsonMapper mapper = json.getIfUnique();
        EngineOptions options = EngineSettings.of(properties,
                mapper == null ? JsonMapper.builder().findAndAddModules().build() : mapper, problems);
        LiveOptions live = EngineSettings.live(properties, problems);
        Map<String, Limit> limits = new TreeMap<>();
        properties.getLimits().forEach((name, bounds) -> problems.check("orderly.limits." + name,
                () -> limits.put(new LimitName(name).value(), QueueProperties.limit(bounds)), null));
        problems.refuse();
        options = options.withTransaction(transactions.getIfUnique(() -> AmbientTransaction.NONE));
        for (EngineCustomizer customizer : engineCustomizers.orderedStream().toList()) {
            options = customizer.customize(options);
        }
        Store customized = store;
        for (StoreCustomizer customizer : storeCustomizers.orderedStream().toList()) {
            customized = customizer.customize(customized);
        }
        Orderly orderly = Orderly.open(customized, options, live);
        limits.forEach(orderly::limit);
        return orderly;
    }

    @Bean
    @ConditionalOnMissingBean
    static HandlerMethods orderlyHandlerMethods(ConfigurableListableBeanFactory beans, Environment environment) {
        return new HandlerMethods(beans, environment);
    }

    @Bean
    @ConditionalOnMissingBean
    static QueueBeans orderlyQueueBeans(HandlerMethods methods) {
        return new QueueBeans(methods, QUEUES);
    }

    @Bean(QUEUES)
    HandledQueues orderlyHandledQueues(Orderly orderly, HandlerMethods methods) {
        return new HandledQueues(orderly, methods);
    }

    @Bean
    @ConditionalOnMissingBean
    HandlerRegistrar orderlyHandlerRegistrar(ConfigurableListableBeanFactory beans, Orderly orderly,
            OrderlyProperties properties, HandlerMethods methods) {
        return new HandlerRegistrar(beans, orderly, properties, methods, HandlerRegistrar.Extensions.of(beans));
    }

    @Bean
    @ConditionalOnMissingBean
    OrderlyLifecycle orderlyLifecycle(Orderly orderly, OrderlyProperties properties) {
        return new OrderlyLifecycle(orderly, new WaitingPayloads(orderly.engines().jobs(), properties.getPayloads()));
    }
}
