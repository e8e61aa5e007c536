package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobState;
import dev.orderly.testkit.server.PostgresServer;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The shop on PostgreSQL, by one property. */
class PostgresShopTest extends ShopScenes {
    /** Ends with the process. */
    private static final PostgresServer SERVER = PostgresServer.start("fsync=off", "synchronous_commit=off");

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        properties.add("spring.datasource.url", SERVER::url);
    }

    @Test
    void aCheckoutThatIsRolledBackLeavesNeitherAnOrderNorAJob() {
        assertThat(jobs(rolledBack())).isEmpty();
        Order committed = place();
        soon(() -> assertThat(jobs(committed)).containsExactly(JobState.DONE, JobState.DONE, JobState.DONE));
    }
}
