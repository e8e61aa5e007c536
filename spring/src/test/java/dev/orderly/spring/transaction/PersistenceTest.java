package dev.orderly.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.JobHandler;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Pushes beside JPA, jOOQ and JdbcTemplate in transactions of JPA, in one application on PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PersistenceTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    private ConfigurableApplicationContext application;
    private Orderly orderly;
    private Shop shop;

    @Entity(name = "purchase")
    static class Purchase {
        @Id
        @GeneratedValue
        @Nullable
        Long id;
        String item = "";

        protected Purchase() {}

        Purchase(String item) {
            this.item = item;
        }
    }

    static class Shop {
        private final EntityManager entities;
        private final DSLContext jooq;
        private final JdbcTemplate jdbc;
        private final StandardQueue<String> mails;

        Shop(EntityManager entities, DSLContext jooq, JdbcTemplate jdbc, StandardQueue<String> mails) {
            this.entities = entities;
            this.jooq = jooq;
            this.jdbc = jdbc;
            this.mails = mails;
        }

        @Transactional
        void buy(String item, boolean fails, AtomicReference<JobId> id) {
            entities.persist(new Purchase(item));
            id.set(mails.push(item));
            jooq.execute("INSERT INTO public.mark VALUES (?)", item);
            jdbc.update("INSERT INTO public.mark VALUES (?)", item);
            if (fails) {
                throw new IllegalStateException("no money");
            }
        }

        @JobHandler(value = "shipments", inTransaction = true)
        void ship(String item) {
            entities.persist(new Purchase("shipped " + item));
        }

        @Transactional(readOnly = true)
        long purchases(String item) {
            return entities.createQuery("SELECT count(p) FROM purchase p WHERE p.item = :item", Long.class)
                    .setParameter("item", item).getSingleResult();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        StandardQueue<String> mails(Orderly orderly) {
            return orderly.queue("mails", String.class);
        }

        @Bean
        Shop shop(EntityManager entities, DSLContext jooq, JdbcTemplate jdbc, StandardQueue<String> mails) {
            return new Shop(entities, jooq, jdbc, mails);
        }
    }

    @BeforeAll
    void start() throws SQLException {
        String url = Server.database("persistence", "CREATE TABLE public.mark (item text)");
        SpringApplication starting = new SpringApplication(Application.class);
        starting.setBannerMode(Banner.Mode.OFF);
        application = starting.run("--spring.datasource.url=" + url, "--spring.jpa.hibernate.ddl-auto=create",
                "--spring.jpa.open-in-view=false", "--spring.datasource.hikari.auto-commit=false",
                "--spring.jpa.properties.hibernate.connection.provider_disables_autocommit=true");
        orderly = application.getBean(Orderly.class);
        shop = application.getBean(Shop.class);
    }

    @AfterAll
    void stop() {
        application.close();
    }

    @Test
    void entitiesStatementsAndJobsAreCommittedOrRolledBackTogether() {
        AtomicReference<JobId> id = new AtomicReference<>();
        shop.buy("book", false, id);
        assertThat(orderly.jobs().find(id.get())).isPresent();
        assertThat(shop.purchases("book")).isEqualTo(1);
        assertThat(marks("book")).isEqualTo(2);

        assertThatThrownBy(() -> shop.buy("car", true, id)).hasMessage("no money");
        assertThat(orderly.jobs().find(id.get())).isEmpty();
        assertThat(shop.purchases("car")).isZero();
        assertThat(marks("car")).isZero();
    }

    @Test
    void anEntityOfAHandlerIsCommittedWithTheEndOfItsJob() {
        @SuppressWarnings("unchecked")
        StandardQueue<String> shipments = application.getBean("shipments", StandardQueue.class);
        List<JobId> ids = shipments.pushAll(List.of("a", "b"));
        await().atMost(SOON).until(() -> ids.stream().allMatch(job -> orderly.jobs().find(job).orElseThrow()
                .state() == JobState.DONE));
        assertThat(shop.purchases("shipped a") + shop.purchases("shipped b")).isEqualTo(2);
    }

    private long marks(String item) {
        return Objects.requireNonNull(application.getBean(JdbcTemplate.class).queryForObject(
                "SELECT count(*) FROM public.mark WHERE item = ?", Long.class, item));
    }
}
