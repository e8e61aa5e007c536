package dev.orderly.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.boot.OrderlyAutoConfiguration;
import dev.orderly.spring.boot.OrderlyTransactionAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A database by connection details, as those of a container with {@code @ServiceConnection}, and not by properties. */
class ConnectionDetailsTest {
    static class Handler {
        @JobHandler("mails")
        void send(String mail) {}
    }

    private record Details(String getJdbcUrl) implements JdbcConnectionDetails {
        @Override
        public String getUsername() {
            return "postgres";
        }

        @Override
        public String getPassword() {
            return "postgres";
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void jobsAreInTheDatabaseOfTheConnectionDetailsAndInItsTransactions() throws Exception {
        String url = Server.database("details");
        new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(OrderlyAutoConfiguration.class,
                OrderlyTransactionAutoConfiguration.class, DataSourceAutoConfiguration.class,
                DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
                JdbcTemplateAutoConfiguration.class)).withBean(JdbcConnectionDetails.class, () -> new Details(url))
                .withBean(Handler.class).withPropertyValues("orderly.handlers.enabled=false",
                        "spring.datasource.url=jdbc:postgresql://nowhere.invalid/none")
                .run(context -> {
                    StandardQueue<String> mails = (StandardQueue<String>) context.getBean("mails");
                    TransactionTemplate transaction = new TransactionTemplate(context.getBean(
                            PlatformTransactionManager.class));
                    transaction.executeWithoutResult(status -> {
                        mails.push("rolled back");
                        status.setRollbackOnly();
                    });
                    transaction.executeWithoutResult(_ -> mails.push("committed"));

                    assertThat(context.getBean(JdbcTemplate.class).queryForObject(
                            "SELECT count(*) FROM information_schema.tables "
                                    + "WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
                            Long.class)).isPositive();
                    assertThat(context.getBean(Orderly.class).jobs().queues().getFirst().view().waiting()).isEqualTo(1);
                });
    }
}
