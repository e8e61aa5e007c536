package dev.orderly.store.postgres.update;

import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.Server;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/** A schema as release 0.1.0 has left it. */
final class FirstRelease {
    private static final Path DUMP = Path.of(System.getProperty("basedir", "."))
            .resolve("../server/src/test/resources/dev/orderly/compatibility/0.1.0/postgres.sql.gz");

    private final PostgresOptions options = Server.fresh();
    private final String schema = Objects.requireNonNull(options.schema());

    FirstRelease() {
        try (InputStream dump = new GZIPInputStream(Files.newInputStream(DUMP))) {
            Server.run(new String(dump.readAllBytes(), StandardCharsets.UTF_8).replace("orderly", schema));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    PostgresOptions options() {
        return options;
    }

    String schema() {
        return schema;
    }

    /** Adds jobs to the first queue, most of them dead letters, and visitors that were revoked. */
    void grow(int jobs) {
        run("""
                INSERT INTO job(seq, queue, ready_at, state, priority, content_type, payload, failure)
                  SELECT 1000000 + n, 1, 1763800000000, CASE WHEN n %% 10 < 6 THEN 3 ELSE 0 END, 2, 'text/plain',
                    convert_to(repeat('x', 200), 'UTF8'), 'no' FROM generate_series(1, %1$d) AS n;
                INSERT INTO tally SELECT 1, state, count(*) FROM job WHERE seq > 1000000 GROUP BY state;
                INSERT INTO voided(line, visitor, number, until)
                  SELECT 1, gen_random_uuid(), 1000 + n, 0 FROM generate_series(1, %1$d / 10) AS n;
                SELECT setval('job_number', 1000000 + %1$d);""".formatted(jobs));
    }

    /** Runs statements with the schema as the search path. */
    void run(String sql) {
        Server.run("SET search_path = " + schema, sql);
    }

    long count(String sql) {
        return Server.count(sql.replace("$", schema + "."));
    }

    /** The number of the server's session that updates the schema; zero for none. */
    long updating() {
        return Server.count("SELECT coalesce(max(pid), 0) FROM pg_locks WHERE locktype = 'advisory' AND granted"
                + " AND (classid::bigint << 32) | objid::bigint = hashtextextended('orderly update " + schema
                + "', 1866)");
    }

    /** The number of the version of the tables. */
    long version() {
        return count("SELECT version FROM $meta");
    }

    void drop() {
        Server.run("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
    }
}
