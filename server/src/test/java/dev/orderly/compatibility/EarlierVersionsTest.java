package dev.orderly.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.RoomName;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.server.Secrets;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.testkit.server.RedisNode;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What each released version wrote is opened by this one: its configuration, stores and tokens. */
@Timeout(180)
class EarlierVersionsTest {
    static final Path VERSIONS = Path.of(System.getProperty("basedir", "."))
            .resolve("src/test/resources/dev/orderly/compatibility").toAbsolutePath();

    @TempDir
    private Path folder = Path.of("");

    static List<Path> versions() throws Exception {
        try (Stream<Path> all = Files.list(VERSIONS)) {
            return all.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void aSqliteFileIsOpenedWithItsJobsRoomsAndTokens(Path version) throws Exception {
        try (Stream<Path> files = Files.list(version)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
        }

        try (WrittenSite site = new WrittenSite(version, folder, "sqlite:" + folder.resolve("orderly.db"))) {
            assertJobsAndTokens(site, written(version).path("sqlite"));
            assertRoom(site, written(version).path("sqlite"));
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void aPostgresqlDumpIsOpenedWithItsJobsRoomsAndTokens(Path version) throws Exception {
        try (PostgresServer server = PostgresServer.start("fsync=off")) {
            try (Connection connection = DriverManager.getConnection(server.url());
                    Statement statement = connection.createStatement()) {
                statement.execute(new String(uncompressed(version.resolve("postgres.sql.gz")), StandardCharsets.UTF_8));
            }
            try (WrittenSite site = new WrittenSite(version, folder, server.address())) {
                assertJobsAndTokens(site, written(version).path("postgres"));
                assertRoom(site, written(version).path("postgres"));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void anAppendOnlyFileOfRedisIsOpenedWithItsRooms(Path version) throws Exception {
        Path data = Files.createDirectories(folder.resolve("appendonlydir"));
        try (Stream<Path> files = Files.list(version.resolve("redis"))) {
            for (Path file : files.toList()) {
                Files.write(data.resolve(file.getFileName().toString().replaceFirst("\\.gz$", "")),
                        uncompressed(file));
            }
        }
        try (RedisNode redis = RedisNode.start("dir " + folder);
                WrittenSite site = new WrittenSite(version, folder,
                        "{ jobs: \"sqlite:" + folder.resolve("jobs.db") + "\", rooms: \"" + redis.url() + "\" }")) {
            assertRoom(site, written(version).path("redis"));
        }
    }

    /** At the moment at which they were signed: tickets and passes end, their form does not. */
    @ParameterizedTest
    @MethodSource("versions")
    void ticketsAndPassesAreAuthentic(Path version) throws Exception {
        RoomTokens tokens = new RoomTokens(Secrets
                .read(Files.readString(version.resolve("secret")).strip(), Path.of("no file"), true).rooms());
        RoomName sale = new RoomName("sale");
        for (String store : List.of("sqlite", "postgres", "redis")) {
            JsonNode written = written(version).path(store);
            Instant then = Instant.parse(written.path("written").asString());

            assertThat(tokens.ticket(written.path("ticket").asString(), sale, 1, then)).as(store)
                    .hasValueSatisfying(ticket -> assertThat(ticket.place()).isEqualTo(2));
            assertThat(tokens.pass(written.path("pass").asString(), sale, 1, then)).as(store)
                    .hasValueSatisfying(pass -> assertThat(pass.place()).isEqualTo(1));
        }
    }

    static byte[] uncompressed(Path file) throws Exception {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    private static JsonNode written(Path version) throws Exception {
        return new JsonMapper().readTree(Files.readString(version.resolve("written.json")));
    }

    private static void assertJobsAndTokens(WrittenSite site, JsonNode written) {
        for (String queue : WrittenSite.QUEUES) {
            assertThat(site.jobs(queue)).as(queue).isEqualTo(StreamSupport
                    .stream(written.path(queue).spliterator(), false).map(JsonNode::asString).toList());
        }
        assertThat(site.get("/queues/mails", "").path("paused").asBoolean()).isTrue();
        String later = site.post("/queues/orders.fifo/jobs?group=ann", "{\"order\":\"ann 4\"}", 202).path("id")
                .asString();
        assertThat(site.jobs("orders.fifo")).last().as("a job that this version pushed").isEqualTo(later);

        String token = written.path("token").asString();
        assertThat(site.get("/queues", token).path("queues").isEmpty()).isFalse();
        site.send("POST", "/queues/mails/resume", "", token, 403); // a viewer's
        site.send("GET", "/queues", "", token.substring(0, token.length() - 1) + "!", 401);
    }

    private static void assertRoom(WrittenSite site, JsonNode written) {
        JsonNode room = site.get("/rooms/sale", "");

        assertThat(room.path("length").asLong()).isEqualTo(written.path("length").asLong()).isEqualTo(2);
        assertThat(room.path("mode").asString()).isEqualTo("hold");
        assertThat(room.path("message").asString()).isEqualTo("Back at noon");
        assertThat(room.path("limits").path("inForce").path("capacity").asInt()).isEqualTo(7);
    }
}
