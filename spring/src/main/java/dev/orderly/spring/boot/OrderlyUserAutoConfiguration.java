package dev.orderly.spring.boot;

import dev.orderly.Internal;
import dev.orderly.Orderly;
import dev.orderly.spring.EngineCustomizer;
import dev.orderly.spring.user.SecurityUsers;
import dev.orderly.user.UserSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * The user that a push belongs to: of a bean of {@link UserSource}, by default that of Spring Security if it is there.
 */
@Internal(to = "dev.orderly")
@AutoConfiguration(after = OrderlyAutoConfiguration.class)
@ConditionalOnBean(Orderly.class)
@ConditionalOnBooleanProperty(name = "orderly.enabled", matchIfMissing = true)
public class OrderlyUserAutoConfiguration {
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    EngineCustomizer orderlyUsers(ObjectProvider<UserSource> users) {
        return options -> options.withUsers(users.getIfAvailable(() -> UserSource.NONE));
    }

    /** Users of Spring Security. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SecurityContextHolder.class)
    @ConditionalOnBooleanProperty(name = "orderly.users.from-security", matchIfMissing = true)
    static class OfSecurity {
        @Bean
        @ConditionalOnMissingBean
        UserSource orderlySecurityUsers() {
            return new SecurityUsers();
        }
    }
}
