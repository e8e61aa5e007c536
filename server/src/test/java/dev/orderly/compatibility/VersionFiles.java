package dev.orderly.compatibility;

import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.RedisNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the files of the present version for later versions; run by {@code build/compatibility-data}. The dump is that
 * of an installed PostgreSQL, whose {@code pg_dump} has to fit its server.
 */
@EnabledIfSystemProperty(named = VersionFiles.VERSION, matches = ".+")
class VersionFiles {
    static final String VERSION = "orderly.compatibility.write";
    private static final Path SERVERS = Path.of("/usr/lib/postgresql");

    @TempDir
    private Path work = Path.of("");

    @Test
    void write() throws Exception {
        Path version = EarlierVersionsTest.VERSIONS.resolve(System.getProperty(VERSION));
        Files.createDirectories(version.resolve("redis"));
        ObjectNode written = new JsonMapper().createObjectNode();
        written.set("sqlite", sqlite(version));
        written.set("postgres", postgres(version));
        written.set("redis", redis(version));
        Files.writeString(version.resolve("written.json"), written.toPrettyString() + "\n");
    }

    private ObjectNode sqlite(Path version) throws Exception {
        ObjectNode written = written(version, "sqlite:" + work.resolve("orderly.db"));
        try (Stream<Path> files = Files.list(work)) {
            for (Path file : files.filter(file -> !file.toString().endsWith("-lock"))
                    .filter(file -> file.getFileName().toString().startsWith("orderly.db")).toList()) {
                Files.copy(file, version.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return written;
    }

    private ObjectNode written(Path version, String store) throws Exception {
        try (WrittenSite site = new WrittenSite(version, work, store)) {
            return site.write();
        }
    }

    private ObjectNode redis(Path version) throws Exception {
        Path data = Files.createDirectories(work.resolve("redis"));
        ObjectNode written;
        try (RedisNode redis = RedisNode.start("dir " + data, "appendfsync always")) {
            written = written(version,
                    "{ jobs: \"sqlite:" + work.resolve("jobs.db") + "\", rooms: \"" + redis.url() + "\" }");
        }
        try (Stream<Path> files = Files.list(data.resolve("appendonlydir"))) {
            for (Path file : files.toList()) {
                compress(Files.readAllBytes(file), version.resolve("redis").resolve(file.getFileName() + ".gz"));
            }
        }
        return written;
    }

    private ObjectNode postgres(Path version) throws Exception {
        Path programs;
        try (Stream<Path> versions = Files.list(SERVERS)) {
            programs = versions.max(Comparator.naturalOrder()).orElseThrow().resolve("bin");
        }
        Path data = work.resolve("postgres");
        String port = Integer.toString(FreePort.find());
        run(programs.resolve("initdb"), "-D", data.toString(), "-U", "postgres", "-A", "trust");
        run(programs.resolve("pg_ctl"), "-D", data.toString(), "-l", work.resolve("log").toString(), "-w", "-o",
                "-p " + port + " -k " + work + " -c listen_addresses=127.0.0.1", "start");
        try {
            ObjectNode written = written(version, "postgres://postgres@127.0.0.1:" + port + "/postgres");
            Path dump = work.resolve("postgres.sql");
            run(programs.resolve("pg_dump"), "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-n", "orderly_store",
                    "--inserts", "--no-owner", "-f", dump.toString(), "postgres");
            // Commands of psql, which no server understands.
            compress(Files.readString(dump).replaceAll("(?m)^\\\\.*\n", "").getBytes(StandardCharsets.UTF_8),
                    version.resolve("postgres.sql.gz"));
            return written;
        } finally {
            run(programs.resolve("pg_ctl"), "-D", data.toString(), "-m", "fast", "stop");
        }
    }

    /** Runs a program of PostgreSQL, which refuses root: then in a namespace in which its user is another one. */
    private static void run(Path program, String... arguments) {
        Stream<String> user = System.getProperty("user.name").equals("root") ? Stream.of("unshare", "-U") : Stream.of();
        List<String> command = Stream.concat(user, Stream.concat(Stream.of(program.toString()), Stream.of(arguments)))
                .toList();
        ChildProcess.Ended ended = ChildProcess.run(command,
                builder -> builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD));
        if (ended.exitCode() != 0) {
            throw new AssertionError(command + " ended with " + ended.exitCode());
        }
    }

    private static void compress(byte[] content, Path to) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(to))) {
            out.write(content);
        }
    }
}
