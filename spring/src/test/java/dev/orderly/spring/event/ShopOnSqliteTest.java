package dev.orderly.spring.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobState;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.springframework.modulith.events.core.TargetEventPublication;

/** On SQLite the registry carries an event from the commit to its push. */
class ShopOnSqliteTest extends ShopContract {
    @Override
    List<String> properties(Path folder) throws SQLException {
        String url = "jdbc:sqlite:" + folder.resolve("application.db") + "?journal_mode=WAL&busy_timeout=60000";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE invoice (id text)");
        }
        return List.of("spring.datasource.url=" + url, "orderly.store=sqlite:" + folder.resolve("jobs.db"));
    }

    @Override
    JobState stateAfterCommit() {
        return JobState.RUNNING;
    }

    @Override
    void checkPublications(String event) {
        assertThat(publications.all()).filteredOn(each -> each.getEvent().toString().contains("id=" + event + ","))
                .hasSize(1).allMatch(TargetEventPublication::isCompleted);
    }
}
