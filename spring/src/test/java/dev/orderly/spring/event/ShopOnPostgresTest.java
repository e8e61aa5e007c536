package dev.orderly.spring.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobState;
import dev.orderly.spring.transaction.Server;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * On PostgreSQL the push is part of the transaction that publishes, so that the registry has nothing to carry; and the
 * end of the job is part of the transaction of the listener.
 */
class ShopOnPostgresTest extends ShopContract {
    @Override
    List<String> properties(Path folder) throws SQLException {
        String url = Server.database("events", "CREATE TABLE public.invoice (id text)");
        return List.of("spring.datasource.url=" + url + "&currentSchema=public",
                "spring.datasource.hikari.maximum-pool-size=4");
    }

    @Override
    JobState stateAfterCommit() {
        return JobState.DONE;
    }

    @Override
    void checkPublications(String event) {
        assertThat(publications.all()).noneMatch(each -> each.getEvent().toString().contains(event));
    }
}
