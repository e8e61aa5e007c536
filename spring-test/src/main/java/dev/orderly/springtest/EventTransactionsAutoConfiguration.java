package dev.orderly.springtest;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions for events, which listeners hear of after a commit. */
@AutoConfiguration
@ConditionalOnClass(PlatformTransactionManager.class)
@EnableTransactionManagement(proxyTargetClass = true)
class EventTransactionsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(TransactionManager.class)
    PlatformTransactionManager orderlyEventTransactions() {
        return new TransactionsWithoutDatabase();
    }

    @Bean
    @ConditionalOnMissingBean
    TransactionTemplate orderlyEventTransaction(PlatformTransactionManager manager) {
        return new TransactionTemplate(manager);
    }
}
