package dev.orderly.spring.boot;

import dev.orderly.Internal;
import dev.orderly.Orderly;
import dev.orderly.spring.config.OrderlyProperties;
import dev.orderly.spring.handler.HandlerRegistrar;
import dev.orderly.spring.schedule.ScheduleRegistrar;
import dev.orderly.spring.schedule.SchedulerReplacement;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Schedules that are methods: those with {@link dev.orderly.spring.OrderlySchedule}, and by
 * {@code orderly.schedules.adopt} those with {@code @Scheduled}.
 */
@Internal(to = "dev.orderly")
@AutoConfiguration(after = OrderlyAutoConfiguration.class)
@ConditionalOnBean(HandlerRegistrar.class)
@ConditionalOnBooleanProperty(name = "orderly.enabled", matchIfMissing = true)
public class OrderlyScheduleAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    ScheduleRegistrar orderlyScheduleRegistrar(ConfigurableListableBeanFactory beans, Orderly orderly,
            OrderlyProperties properties) {
        return new ScheduleRegistrar(beans, orderly, properties);
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "orderly.schedules.adopt")
    static SchedulerReplacement orderlySchedulerReplacement() {
        return new SchedulerReplacement();
    }
}
