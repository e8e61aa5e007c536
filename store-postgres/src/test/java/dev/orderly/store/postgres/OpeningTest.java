package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.SchemaChoice;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.testkit.server.FreePort;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Opening of schemas, and the errors of schemas that cannot be opened. */
class OpeningTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private final PostgresOptions options = Server.fresh();

    @AfterEach
    void drop() {
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void aSchemaOfANewerVersionIsRefused() {
        PostgresStore.open(options, new Random(7)).close();
        Server.run("UPDATE " + options.schema() + ".meta SET version = 99");
        assertThatThrownBy(() -> PostgresStore.open(options, new Random(7))).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("version 99").hasMessageContaining(options.schema());
    }

    @Test
    void theFunctionsOfAnOlderVersionAreReplaced() {
        String schema = options.schema();
        PostgresStore.open(options, new Random(7)).close();
        Server.run("CREATE FUNCTION " + schema + ".room_of_old() RETURNS int LANGUAGE sql AS 'SELECT 1'");
        Server.run("DROP FUNCTION " + schema + ".room_renew");
        Server.run("UPDATE " + schema + ".meta SET version = 3");
        PostgresStore.open(options, new Random(7)).close();
        assertThat(Server.count("SELECT count(*) FROM pg_proc WHERE pronamespace = '" + schema
                + "'::regnamespace AND proname = 'room_renew'")).isOne();
        assertThat(Server.count("SELECT count(*) FROM pg_proc WHERE pronamespace = '" + schema
                + "'::regnamespace AND proname = 'room_of_old'")).isZero();
    }

    @Test
    void theTriggersOfAnOlderVersionCountNoJobTwice() {
        String schema = options.schema();
        PostgresStore.open(options, new Random(7)).close();
        Server.run("CREATE FUNCTION " + schema + ".tally_job() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " INSERT INTO " + schema + ".tally VALUES(1, 0, 1); RETURN NULL; END $$");
        Server.run("CREATE TRIGGER tally_pushed AFTER INSERT ON " + schema + ".job EXECUTE FUNCTION " + schema
                + ".tally_job()");
        Server.run("UPDATE " + schema + ".meta SET version = 4");
        try (PostgresStore postgres = PostgresStore.open(options, new Random(7))) {
            postgres.jobs().push(List.of(new NewJob(new QueueName("mail"), null, Priority.NORMAL, null,
                    Payload.text("a"), Map.of(), null, null, null)), NOW);
            assertThat(postgres.jobViews().queues().getFirst().waiting()).isOne();
        }
    }

    @Test
    void jobsOfAVersionThatKeptNoAttemptsGoOn() {
        String schema = options.schema();
        JobId id;
        NodeId node = new NodeId("old");
        QueueName mail = new QueueName("mail");
        try (PostgresStore before = PostgresStore.open(options, new Random(7))) {
            before.jobs().beat(node);
            id = before.jobs().push(List.of(new NewJob(mail, null, Priority.NORMAL, null, Payload.text("a"), Map.of(),
                    null, null, null)), NOW).getFirst().id();
            ClaimedJob job = before.jobs().claim(new ClaimRequest(node, List.of(new Demand(mail, 1))), NOW).jobs()
                    .getFirst();
            before.jobs().settle(List.of(new Settlement(node, job.attempt(),
                    new AttemptOutcome.Retry(NOW, new JobFailure("no", "")))), NOW);
        }
        Server.run("ALTER TABLE " + schema + ".job DROP COLUMN history, DROP COLUMN origin");
        Server.run("ALTER TABLE " + schema + ".ended DROP COLUMN history, DROP COLUMN origin, DROP COLUMN started_at,"
                + " DROP COLUMN node, DROP COLUMN trace");
        Server.run("UPDATE " + schema + ".meta SET version = 11");
        try (PostgresStore after = PostgresStore.open(options, new Random(7))) {
            JobView view = after.jobViews().find(id).orElseThrow();
            assertThat(AttemptSnapshot.of(view, after.jobViews().attempts(id)).stream().map(JobAttempt::end))
                    .containsExactly(JobAttempt.End.FAILED);
            after.jobs().beat(node);
            ClaimedJob again = after.jobs().claim(new ClaimRequest(node, List.of(new Demand(mail, 1))), NOW).jobs()
                    .getFirst();
            after.jobs().settle(List.of(new Settlement(node, again.attempt(), new AttemptOutcome.Done(null))), NOW);
            assertThat(after.jobViews().find(id).orElseThrow().state()).isEqualTo(JobState.DONE);
        }
    }

    @Test
    void aSchemaOfAnotherProgramIsRefusedAndLeftAlone() {
        Server.run("CREATE SCHEMA " + options.schema());
        Server.run("CREATE TABLE " + options.schema() + ".orders(id int)");
        assertThatThrownBy(() -> PostgresStore.open(options, new Random(7))).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("another program");
        assertThat(Server.count("SELECT count(*) FROM pg_tables WHERE schemaname = '" + options.schema() + "'"))
                .isEqualTo(1);
    }

    @Test
    void aNewSchemaInWhichSessionsOfAUserCreateTheirTablesIsRefused() {
        String schema = options.schema();
        Server.run("CREATE ROLE " + schema);
        try {
            assertThatThrownBy(() -> PostgresStore.open(options, new Random(7)))
                    .isInstanceOf(StoreException.Unusable.class).hasMessageContaining("the database user " + schema)
                    .hasMessageContaining("?schema=orderly_store");
            assertThat(Server.count("SELECT count(*) FROM pg_namespace WHERE nspname = '" + schema + "'")).isZero();
        } finally {
            Server.run("DROP ROLE " + schema);
        }
        assertThatThrownBy(() -> PostgresStore.open(options.withSchema("public"), new Random(7)))
                .isInstanceOf(StoreException.Unusable.class).hasMessageContaining("every session");
    }

    @Test
    void anOlderSchemaWithTablesOfAnApplicationGoesOnAndNamesWhatToMove() {
        PostgresStore.open(options, new Random(7)).close();
        Server.run("CREATE TABLE " + options.schema() + ".invoice(id int)");
        try (LogLines log = LogLines.of(SchemaChoice.class.getName())) {
            PostgresStore.open(options, new Random(7)).close();
            assertThat(log.with(Objects.requireNonNull(options.schema()))).singleElement().asString()
                    .contains("tables of another program: invoice")
                    .contains("ALTER TABLE " + options.schema() + ".\"invoice\" SET SCHEMA public");
        }
        Server.run("DROP TABLE " + options.schema() + ".invoice");
        try (LogLines log = LogLines.of(SchemaChoice.class.getName())) {
            PostgresStore.open(options, new Random(7)).close();
            assertThat(log.events()).as("every table of ours is known").isEmpty();
        }
    }

    @Test
    void aRenamedSchemaGoesOn() {
        PostgresStore.open(options, new Random(7)).close();
        String renamed = options.schema() + "x";
        Server.run("ALTER SCHEMA " + options.schema() + " RENAME TO " + renamed);
        try {
            PostgresStore.open(options.withSchema(renamed), new Random(7)).close();
            assertThat(Server.count("SELECT count(*) FROM pg_proc WHERE array_to_string(proconfig, ';') LIKE '%"
                    + renamed + ",%'")).isOne();
        } finally {
            Server.run("DROP SCHEMA " + renamed + " CASCADE");
        }
    }

    @Test
    void anAddressWithoutASchemaOpensTheDefaultOrThatOfTheFirstVersion() {
        PostgresOptions plain = PostgresOptions.at(options.url()).withConnections(2);
        PostgresOptions first = options.withSchema("orderly");
        try {
            PostgresStore.open(first, new Random(7)).close();
            assertThat(opened(plain)).endsWith("schema orderly");
            Server.run("DROP SCHEMA orderly CASCADE");
            assertThat(opened(plain)).endsWith("schema orderly_store");
            PostgresStore.open(first, new Random(7)).close();
            assertThat(opened(plain)).endsWith("schema orderly_store");
        } finally {
            Server.run("DROP SCHEMA IF EXISTS orderly CASCADE", "DROP SCHEMA IF EXISTS orderly_store CASCADE");
        }
    }

    private static String opened(PostgresOptions options) {
        try (PostgresStore store = PostgresStore.open(options, new Random(7))) {
            return store.name();
        }
    }

    @Test
    void aSchemaInTheAddressOfAnApplicationIsNotWhereTablesGo() {
        PostgresOptions applications = PostgresOptions.at(options.url() + "&currentSchema=public")
                .withSchema(options.schema()).withConnections(2);
        PostgresStore.open(applications, new Random(7)).close();
        assertThat(Server.count("SELECT count(*) FROM pg_tables WHERE tablename = 'lane' AND schemaname = 'public'"))
                .isZero();
        assertThat(Server.count("SELECT count(*) FROM pg_tables WHERE tablename = 'lane' AND schemaname = '"
                + options.schema() + "'")).isOne();
    }

    @Test
    void aWrongUserAMissingDatabaseAndASilentServerAreThreeMessages() {
        String url = options.url();
        Map<String, String> messages = Map.of(
                url.replaceFirst("user=[a-z]+", "user=nobody"), "refuses the user or the password",
                url.replaceFirst("/[a-z]+[?]", "/nowhere?"), "has no such database",
                "jdbc:postgresql://127.0.0.1:" + FreePort.find() + "/x?user=a", "No PostgreSQL answers");
        // at once, since each waits some seconds for its server
        CompletableFuture.allOf(messages.entrySet().stream().map(wrong -> CompletableFuture.runAsync(
                () -> assertFails(wrong.getKey(), wrong.getValue()), Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new)).join();
    }

    private void assertFails(String url, String saying) {
        PostgresOptions wrong = PostgresOptions.at(url).withSchema(options.schema()).withConnections(1);
        assertThatThrownBy(() -> PostgresStore.open(wrong, new Random(7)))
                .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining(saying)
                .hasMessageNotContaining("request timed out");
    }

    @Test
    void aNameThatIsNoSchemaIsRefused() {
        for (String name : new String[]{"", "Orderly", "a b", "1a", "pg_catalog", "x\"; DROP TABLE y",
                "a".repeat(64)}) {
            assertThatThrownBy(() -> options.withSchema(name)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"" + name + "\"");
        }
    }

    @Test
    void aPasswordIsNeverPartOfTheName() {
        assertThat(PostgresOptions.at("jdbc:postgresql://db:5432/shop?user=ann&password=secret"))
                .hasToString("postgresql://db:5432/shop schema orderly_store");
        assertThat(PostgresOptions.at("jdbc:postgresql://db/shop").withCredentials("ann", "secret").toString())
                .doesNotContain("secret");
    }
}
