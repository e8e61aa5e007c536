package dev.orderly.spring.boot;

import dev.orderly.Internal;
import dev.orderly.Orderly;
import dev.orderly.job.transaction.AmbientTransaction;
import dev.orderly.spring.config.OrderlyProperties;
import dev.orderly.spring.handler.TransactionalHandlers;
import dev.orderly.spring.transaction.HandlersInTransactions;
import dev.orderly.spring.transaction.JoinedTransactions;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * Pushes inside the application's transactions. {@code orderly.transactions.enabled=false} switches it off: every push
 * is then a transaction of its own.
 */
@Internal(to = "dev.orderly")
@AutoConfiguration(after = OrderlyAutoConfiguration.class)
@ConditionalOnClass({ConfigurableTransactionManager.class, ConnectionHolder.class})
@ConditionalOnBean(Orderly.class)
@ConditionalOnBooleanProperty(name = {"orderly.enabled", "orderly.transactions.enabled"}, matchIfMissing = true)
@EnableConfigurationProperties(OrderlyProperties.class)
public class OrderlyTransactionAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(AmbientTransaction.class)
    JoinedTransactions orderlyTransactions(ObjectProvider<StoreChoice> choice, OrderlyProperties properties) {
        StoreChoice chosen = choice.getIfAvailable();
        return new JoinedTransactions(chosen == null ? null : chosen.dataSource(),
                properties.getTransactions().foreign());
    }

    /** Tells managers that are beans of the application of the transactions; the managers of Spring Boot know them. */
    @Bean
    SmartInitializingSingleton orderlyTransactionManagers(ConfigurableListableBeanFactory beans,
            ObjectProvider<JoinedTransactions> transactions) {
        return () -> transactions.ifAvailable(joined -> {
            for (String name : beans.getBeanNamesForType(ConfigurableTransactionManager.class, true, false)) {
                if (beans.containsSingleton(name)
                        && beans.getBean(name) instanceof ConfigurableTransactionManager manager
                        && !manager.getTransactionExecutionListeners().contains(joined)) {
                    manager.addListener(joined);
                }
            }
        });
    }

    @Bean
    @ConditionalOnMissingBean(TransactionalHandlers.class)
    HandlersInTransactions orderlyHandlersInTransactions(BeanFactory beans, JoinedTransactions transactions) {
        return new HandlersInTransactions(beans, transactions);
    }
}
