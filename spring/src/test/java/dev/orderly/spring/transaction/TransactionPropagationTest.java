package dev.orderly.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_MANDATORY;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NESTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NEVER;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NOT_SUPPORTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRES_NEW;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_SUPPORTS;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.JobHandler;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Pushes and handlers in transactions of JDBC, by propagation, in one application on PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionPropagationTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    private ConfigurableApplicationContext application;
    private Orderly orderly;
    private StandardQueue<String> notes;
    private FifoQueue<String> ordered;
    private JdbcTemplate jdbc;
    private Handlers handlers;

    static class Handlers {
        final Queue<String> tries = new ConcurrentLinkedQueue<>();
        private final JdbcTemplate jdbc;

        Handlers(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @JobHandler(value = "effects", inTransaction = true, retry = @JobHandler.Retry(base = "1ms", max = "1ms"))
        void effect(String text, Job<?> job) {
            tries.add(text);
            jdbc.update("INSERT INTO public.effect VALUES (?)", text);
            if (text.startsWith("throws") && job.failures() == 0) {
                throw new IllegalStateException("after the effect");
            }
            if (text.startsWith("marks") && job.failures() == 0) {
                TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
    static class Application {
        @Bean
        Handlers handlers(JdbcTemplate jdbc) {
            return new Handlers(jdbc);
        }

        @Bean
        StandardQueue<String> notes(Orderly orderly) {
            return orderly.queue("notes", String.class);
        }

        @Bean
        FifoQueue<String> ordered(Orderly orderly) {
            return orderly.fifo("ordered.fifo", String.class);
        }
    }

    @BeforeAll
    @SuppressWarnings("unchecked")
    void start() throws SQLException {
        String url = Server.database("propagation", "CREATE TABLE public.effect (text text)");
        SpringApplication starting = new SpringApplication(Application.class);
        starting.setBannerMode(Banner.Mode.OFF);
        application = starting.run("--spring.datasource.url=" + url + "&currentSchema=public",
                "--spring.datasource.hikari.maximum-pool-size=4");
        orderly = application.getBean(Orderly.class);
        notes = application.getBean("notes", StandardQueue.class);
        ordered = application.getBean("ordered", FifoQueue.class);
        jdbc = application.getBean(JdbcTemplate.class);
        handlers = application.getBean(Handlers.class);
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private <T> T in(int propagation, Supplier<T> work) {
        TransactionTemplate template = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
        template.setPropagationBehavior(propagation);
        return template.execute(_ -> work.get());
    }

    /** Runs work in a transaction that is rolled back. */
    private <T> T undone(int propagation, Supplier<T> work) {
        TransactionTemplate template = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
        template.setPropagationBehavior(propagation);
        return template.execute(status -> {
            T value = work.get();
            status.setRollbackOnly();
            return value;
        });
    }

    private boolean exists(JobId id) {
        return orderly.jobs().find(id).isPresent();
    }

    private JobId push() {
        return notes.push("note");
    }

    @Test
    void aPushExistsOnlyWithTheCommitOfItsTransaction() {
        List<JobId> ids = in(PROPAGATION_REQUIRED, () -> {
            List<JobId> pushed = List.of(push(), ordered.group("a").push("1"), orderly.jobs().push(orderly.jobs()
                    .request(notes, "by the client")).id(), notes.delay(Duration.ofHours(1)).push("later"));
            assertThat(pushed).noneMatch(this::exists);
            return pushed;
        });
        assertThat(ids).hasSize(4).allMatch(this::exists);
        assertThat(undone(PROPAGATION_REQUIRED, () -> notes.pushAll(List.of("1", "2", "3"))))
                .hasSize(3).noneMatch(this::exists);
        assertThat(exists(push())).isTrue();
    }

    @Test
    void anInnerScopeIsPartOfTheOuterTransaction() {
        for (int inner : List.of(PROPAGATION_REQUIRED, PROPAGATION_SUPPORTS, PROPAGATION_MANDATORY)) {
            assertThat(exists(in(PROPAGATION_REQUIRED, () -> in(inner, this::push)))).isTrue();
            assertThat(exists(undone(PROPAGATION_REQUIRED, () -> in(inner, this::push))))
                    .isFalse();
        }
    }

    @Test
    void aTransactionOfItsOwnIsUntouchedByTheOuterOne() {
        for (int inner : List.of(PROPAGATION_REQUIRES_NEW, PROPAGATION_NOT_SUPPORTED)) {
            List<JobId> ids = undone(PROPAGATION_REQUIRED, () -> List.of(push(), in(inner,
                    this::push), push()));
            assertThat(ids).map(this::exists).containsExactly(false, true, false);
        }
        List<JobId> ids = in(PROPAGATION_REQUIRED, () -> List.of(push(), undone(PROPAGATION_REQUIRES_NEW,
                this::push), push()));
        assertThat(ids).map(this::exists).containsExactly(true, false, true);
    }

    @Test
    void aScopeWithoutATransactionStoresAtOnce() {
        for (int propagation : List.of(PROPAGATION_SUPPORTS, PROPAGATION_NOT_SUPPORTED, PROPAGATION_NEVER)) {
            assertThat(undone(propagation, () -> exists(push()))).isTrue();
        }
    }

    @Test
    void aSavepointTakesItsOwnPushesBackAndNoOthers() {
        List<JobId> ids = in(PROPAGATION_REQUIRED, () -> List.of(push(), undone(PROPAGATION_NESTED,
                this::push), in(PROPAGATION_NESTED, this::push)));
        assertThat(ids).map(this::exists).containsExactly(true, false, true);
    }

    @Test
    void aPushAfterTheCommitOrTheRollbackIsATransactionOfItsOwn() {
        Queue<JobId> pushed = new ConcurrentLinkedQueue<>();
        TransactionSynchronization callbacks = new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                pushed.add(push());
                pushed.add(in(PROPAGATION_REQUIRES_NEW, TransactionPropagationTest.this::push));
                pushed.add(push());
            }

            @Override
            public void afterCompletion(int status) {
                pushed.add(push());
            }
        };
        in(PROPAGATION_REQUIRED, () -> {
            TransactionSynchronizationManager.registerSynchronization(callbacks);
            return true;
        });
        assertThat(pushed).hasSize(4);
        undone(PROPAGATION_REQUIRED, () -> {
            TransactionSynchronizationManager.registerSynchronization(callbacks);
            return true;
        });
        assertThat(pushed).hasSize(5).allMatch(this::exists);
    }

    @Test
    void aReadOnlyTransactionIsRefusedWithTheRemedy() {
        TransactionTemplate template = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
        template.setReadOnly(true);
        assertThatThrownBy(() -> template.execute(_ -> push())).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("remove readOnly = true");
    }

    @Test
    void workersAreHintedAfterTheCommitAndNotAfterARollback() {
        JoinedTransactions transactions = application.getBean(JoinedTransactions.class);
        Queue<String> hints = new ConcurrentLinkedQueue<>();
        undone(PROPAGATION_REQUIRED, () -> {
            transactions.afterCommit(() -> hints.add("of a rollback"));
            return true;
        });
        in(PROPAGATION_REQUIRED, () -> {
            transactions.afterCommit(() -> hints.add("outer"));
            in(PROPAGATION_REQUIRES_NEW, () -> {
                transactions.afterCommit(() -> hints.add("inner"));
                return true;
            });
            assertThat(hints).containsExactly("inner");
            return true;
        });
        assertThat(hints).containsExactly("inner", "outer");
    }

    @Test
    void aVirtualThreadHasItsOwnTransaction() throws Exception {
        FutureTask<JobId> other = new FutureTask<>(() -> undone(PROPAGATION_REQUIRED,
                this::push));
        List<JobId> ids = in(PROPAGATION_REQUIRED, () -> {
            JobId mine = push();
            Thread.startVirtualThread(other);
            try {
                return List.of(mine, other.get());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(ids).map(this::exists).containsExactly(true, false);
    }

    @Test
    void theEffectOfAHandlerAndTheEndOfItsJobAreCommittedTogether() {
        StandardQueue<String> effects = effects();
        for (String text : List.of("plain", "throws", "marks")) {
            JobId id = effects.push(text);
            await().atMost(SOON).until(() -> orderly.jobs().find(id).orElseThrow().state() == JobState.DONE);
            assertThat(jdbc.queryForObject("SELECT count(*) FROM public.effect WHERE text = ?", Long.class, text))
                    .as(text).isEqualTo(1);
            assertThat(handlers.tries.stream().filter(text::equals)).hasSize(text.equals("plain") ? 1 : 2);
        }
    }

    @SuppressWarnings("unchecked")
    private StandardQueue<String> effects() {
        return application.getBean("effects", StandardQueue.class);
    }
}
