package dev.orderly.spring.boot;

import dev.orderly.Internal;
import dev.orderly.Orderly;
import dev.orderly.ProgramVersion;
import dev.orderly.spring.observe.OrderlyEndpoint;
import dev.orderly.spring.observe.OrderlyHealth;
import java.util.Map;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health, info and the endpoint {@code orderly}, where the application has the actuator. */
@Internal(to = "dev.orderly")
@AutoConfiguration(after = OrderlyAutoConfiguration.class)
@ConditionalOnBean(Orderly.class)
@ConditionalOnBooleanProperty(name = "orderly.enabled", matchIfMissing = true)
public class OrderlyActuatorAutoConfiguration {
    /** Health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    @ConditionalOnEnabledHealthIndicator("orderly")
    static class OfHealth {
        @Bean
        @ConditionalOnMissingBean(name = "orderlyHealthIndicator")
        OrderlyHealth orderlyHealthIndicator(Orderly orderly) {
            return new OrderlyHealth(orderly);
        }
    }

    /** Info and endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({InfoContributor.class, ConditionalOnAvailableEndpoint.class})
    static class OfActuator {
        @Bean
        @ConditionalOnEnabledInfoContributor("orderly")
        InfoContributor orderlyInfoContributor(Orderly orderly) {
            return info -> info.withDetail("orderly", Map.of("version", ProgramVersion.current(), "nodes",
                    orderly.nodes().size()));
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        OrderlyEndpoint orderlyEndpoint(Orderly orderly) {
            return new OrderlyEndpoint(orderly);
        }
    }
}
