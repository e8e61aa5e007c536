package dev.orderly.store.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.store.postgres.sql.SchemaChange.Brief;
import dev.orderly.store.postgres.sql.SchemaChange.Index;
import dev.orderly.store.postgres.sql.SchemaChange.Rows;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SchemaChangeTest {
    private static final String COLUMN = "ADD COLUMN IF NOT EXISTS \\w+ [\\w\\[\\]]+( COLLATE \"C\")?"
            // a stable function is called once, so that no row is written
            + "(( NOT NULL)? DEFAULT ('[^']*'|-?\\d+|true|false|pg_current_xact_id\\(\\)))?";
    private static final Pattern BRIEF = Pattern.compile("(?s)CREATE (UNLOGGED )?TABLE IF NOT EXISTS .*"
            + "|CREATE (UNIQUE )?INDEX IF NOT EXISTS .*|CREATE SEQUENCE IF NOT EXISTS .*"
            + "|DROP (INDEX|TRIGGER|FUNCTION|VIEW) IF EXISTS .*|INSERT INTO .* ON CONFLICT DO NOTHING"
            + "|ALTER TABLE \\w+ SET \\(.*|ALTER TABLE \\w+\\s+" + COLUMN + "(,\\s*" + COLUMN + ")*");

    @Test
    void anIndexOfAnExistingTableAndAChangeOfRowsAreNoPartOfATransaction() {
        assertThat(SchemaChange.of("""
                -- Comments; are left out.
                ALTER TABLE job ADD COLUMN IF NOT EXISTS error bigint;
                UPDATE job SET error = 0 WHERE state >= 3
                  AND grp IS NULL;
                CREATE UNIQUE INDEX IF NOT EXISTS job_error ON job(queue, error) WHERE state >= 3;
                CREATE TABLE IF NOT EXISTS lease(
                  seq bigint);
                CREATE INDEX IF NOT EXISTS lease_until ON lease(until);
                """)).isEqualTo(List.of(new Brief("ALTER TABLE job ADD COLUMN IF NOT EXISTS error bigint"),
                new Rows("job", "error", "0", "state >= 3\n  AND grp IS NULL"),
                new Index("UNIQUE ", "job_error", "job(queue, error) WHERE state >= 3"),
                new Brief("CREATE TABLE IF NOT EXISTS lease(\n  seq bigint)"),
                new Brief("CREATE INDEX IF NOT EXISTS lease_until ON lease(until)")));
    }

    @Test
    void aVersionWithFunctionsOnlyHasNoChange() {
        assertThat(SchemaChange.of("-- The functions of rooms are made anew.")).isEmpty();
    }

    /** A statement of another form could keep nodes of the version before waiting, or fail when it is repeated. */
    @Test
    void everyStatementSinceTheFirstReleaseRunsBesideNodesAtWorkAndMayBeRepeated() {
        List<String> others = PostgresMigrations.VERSIONS
                .subList(PostgresMigrations.FIRST_RELEASED, PostgresMigrations.latest()).stream()
                .flatMap(sql -> SchemaChange.of(sql).stream())
                .<String>mapMulti((change, found) -> {
                    if (change instanceof Brief(String sql) && !BRIEF.matcher(sql).matches()) {
                        found.accept(sql);
                    }
                }).toList();
        assertThat(others).as("statements that are not of the forms of PostgresMigrations.VERSIONS").isEmpty();
    }
}
