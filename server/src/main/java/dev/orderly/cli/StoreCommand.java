package dev.orderly.cli;

import dev.orderly.Store;
import dev.orderly.VisitorStore;
import dev.orderly.cli.process.LogSetup;
import dev.orderly.cli.terminal.Progress;
import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.config.StoreConfig;
import dev.orderly.config.StoreUrl;
import dev.orderly.config.StoreValueTypes;
import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.schema.ValueType;
import dev.orderly.server.StoreOpener;
import dev.orderly.store.BackupPort.Backup;
import dev.orderly.store.StoreException;
import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyResult;
import dev.orderly.store.copy.CopyResult.Comparison;
import dev.orderly.store.copy.CopyResult.Side;
import dev.orderly.store.copy.OpenCopySource;
import dev.orderly.store.copy.StoreCopy;
import dev.orderly.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Commands on stores as a whole. */
@Command(name = "store", synopsisSubcommandLabel = "COMMAND",
        description = "Back up a store while it is in use; copy a store into another one; update its tables to this"
                + " version.",
        footer = {"  orderly store backup backups/monday.db",
                "  orderly store copy sqlite:data/orderly.db cluster.yaml", "  orderly store migrate cluster.yaml"})
final class StoreCommand {
    private StoreCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new StoreCommand()).addSubcommand("backup", new BackupCommand(terminal))
                .addSubcommand("copy", new Copy(terminal))
                .addSubcommand("migrate", new Migrate(terminal));
    }

    /** The store of an argument: its address, or a configuration file that names it. */
    private static StoreConfig config(Terminal terminal, String what, String address) {
        if (address.endsWith(".yaml") || address.endsWith(".yml")) {
            Path file = Path.of(address);
            return ConfigOption.read(new ConfigFile(file, terminal.environment()), file).store();
        }
        StoreUrl url = url(what, address);
        return new StoreConfig(url, url);
    }

    private static StoreUrl url(String what, String address) {
        ValueType<StoreUrl> type = StoreValueTypes.rooms();
        return type.read().apply(address).orElseThrow(() -> new CommandFailedException(Main.WRONG,
                what + " is " + type.shown().apply(address) + ": use " + type.rule()
                        + ", or a configuration file that ends in .yaml",
                null));
    }

    private static void checkExists(StoreConfig store, String what) {
        if (store.jobs() instanceof StoreUrl.Sqlite(Path file) && Files.notExists(file)) {
            throw new CommandFailedException(Main.WRONG, "There is no file " + file + ": name the database as " + what,
                    null);
        }
    }

    @Command(name = "copy",
            description = "Copy all data of a store into an empty one, then compare both. Every server on either of"
                    + " them has to be stopped. FROM is only read, so that a file on a read-only medium or a"
                    + " PostgreSQL user with SELECT will do. After an interruption the same command continues.",
            footer = {"  orderly store copy sqlite:data/orderly.db cluster.yaml",
                    "  orderly store copy laptop.yaml postgres://orderly@db.example.org/orderly",
                    "  orderly store copy laptop.yaml cluster.yaml --rooms-to redis://127.0.0.1:6379"})
    static final class Copy implements Callable<Integer> {
        private final Terminal terminal;

        @Parameters(index = "0", paramLabel = "FROM",
                description = "Address of the store to read, or a configuration file that names it.")
        private String from = "";
        @Parameters(index = "1", paramLabel = "TO",
                description = "Address of the empty store to write, or a configuration file that names it.")
        private String to = "";
        @Option(names = "--rooms-from", paramLabel = "ADDRESS",
                description = "Store of the rooms to read, if it is another one than FROM.")
        private @Nullable String roomsFrom;
        @Option(names = "--rooms-to", paramLabel = "ADDRESS",
                description = "Store of the rooms to write, if it is another one than TO.")
        private @Nullable String roomsTo;
        @Option(names = "--json", description = "Print the result as JSON.")
        private boolean json;

        Copy(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            StoreConfig read = config("FROM", from, "--rooms-from", roomsFrom);
            StoreConfig written = config("TO", to, "--rooms-to", roomsTo);
            if (read.jobs().equals(written.jobs())) {
                throw new CommandFailedException(Main.WRONG, "FROM and TO are the same store, " + read.jobs()
                        + ": name another one as TO", null);
            }
            checkExists(read, "FROM");
            String name;
            String target;
            CopyResult result;
            try (OpenCopySource source = StoreOpener.source(read);
                    VisitorStore copy = StoreOpener.openAny(written);
                    Shown shown = new Shown(terminal, source)) {
                name = source.name();
                target = copy.name();
                result = new StoreCopy(source.data(), copy.copying(), shown).run(name, source.now());
            } catch (StoreException e) {
                throw new CommandFailedException(
                        e.getMessage() + "\nThe same command continues the copy, if one was begun", e);
            }
            return switch (result) {
                case CopyResult.Refused(String reason) -> throw new CommandFailedException(reason, null);
                case CopyResult.Compared compared -> print(compared, name, target);
            };
        }

        private StoreConfig config(String what, String address, String option, @Nullable String rooms) {
            StoreConfig config = StoreCommand.config(terminal, what, address);
            if (rooms == null) {
                return config;
            }
            if (config.jobs() instanceof StoreUrl.Redis) {
                throw new CommandFailedException(Main.WRONG,
                        what + " is " + config.jobs() + ", which keeps rooms only: name a"
                                + " store for jobs, or leave out " + option,
                        null);
            }
            return new StoreConfig(config.jobs(), url(option, rooms));
        }

        private int print(CopyResult.Compared compared, String source, String target) {
            if (json) {
                terminal.out().println(json(compared));
            } else {
                TextTable table = new TextTable("DATA", "SOURCE", "TARGET", "CHECKSUM", "");
                for (Comparison each : compared.kinds()) {
                    table.row(each.kind().text(), Long.toString(each.source().count()),
                            Long.toString(each.target().count()), each.equal()
                                    ? each.source().checksum()
                                    : each.source().checksum() + ", not " + each.target().checksum(),
                            each.equal() ? "equal" : "DIFFERENT");
                }
                table.print(terminal.out());
            }
            if (!compared.equal()) {
                throw new CommandFailedException(
                        "The copy of " + source + " in " + target + " is not equal: was one of them in"
                                + " use meanwhile? Empty the target and copy again; servers refuse it as it is",
                        null);
            }
            if (!json) {
                terminal.out().println("Copied " + source + " to " + target + ". Take the secret file along, so that"
                        + " tickets and passes stay good.");
            }
            return Main.OK;
        }

        private static String json(CopyResult.Compared compared) {
            ObjectNode all = JsonMapper.shared().createObjectNode().put("equal", compared.equal()).put("resumed",
                    compared.resumed());
            ArrayNode kinds = all.putArray("data");
            for (Comparison each : compared.kinds()) {
                ObjectNode kind = kinds.addObject().put("kind", each.kind().text()).put("equal", each.equal());
                write(kind.putObject("source"), each.source());
                write(kind.putObject("target"), each.target());
            }
            return all.toString();
        }

        private static void write(ObjectNode json, Side side) {
            json.put("count", side.count()).put("checksum", side.checksum());
        }
    }

    @Command(name = "migrate",
            description = "Create the tables of a store, or update them to this version, as its first server would."
                    + " Servers of the version before go on meanwhile, except on SQLite. After an interruption the same"
                    + " command continues.",
            footer = {"  orderly store migrate cluster.yaml",
                    "  orderly store migrate postgres://owner@db.example.org/orderly"})
    static final class Migrate implements Callable<Integer> {
        private final Terminal terminal;

        @Parameters(index = "0", paramLabel = "STORE",
                description = "Address of the store, or a configuration file that names it.")
        private String address = "";

        Migrate(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            LogSetup.quiet(true); // an update of a large store reports its progress by the log
            StoreConfig config = config(terminal, "STORE", address);
            checkExists(config, "STORE");
            try (VisitorStore store = StoreOpener.openAny(config)) {
                terminal.out().println(store.name() + " has the tables of this version.");
            } catch (StoreException e) {
                throw new CommandFailedException(String.valueOf(e.getMessage()), e);
            }
            return Main.OK;
        }
    }

    /** The progress on a terminal: first what is written, then what is read from both stores to compare them. */
    private static final class Shown implements StoreCopy.Progress, AutoCloseable {
        private final Terminal terminal;
        private final long jobs;
        private final ReentrantLock lock = new ReentrantLock();
        private final Progress copying;
        private @Nullable Progress comparing;

        Shown(Terminal terminal, OpenCopySource source) {
            this.terminal = terminal;
            this.jobs = source.jobs();
            copying = new Progress(terminal, "Copy", " records", jobs);
        }

        @Override
        public void copied(CopyKind kind, int records) {
            copying.step(records);
        }

        /** Called by the threads that read both stores. */
        @Override
        public void read(CopyKind kind, int records) {
            lock.lock();
            try {
                if (comparing == null) {
                    copying.close();
                    comparing = new Progress(terminal, "Compare", " records", 2 * jobs);
                }
                comparing.step(records);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            copying.close();
            if (comparing != null) {
                comparing.close();
            }
        }
    }

    /** Writes a backup: the running server does, or this process if none runs. */
    @Command(name = "backup",
            description = "Write a SQLite store into a new file while it is in use. The server writes FILE, on its own"
                    + " machine; with --config this command does if no server answers. A second file, FILE-running,"
                    + " belongs to it.",
            footer = {"  orderly store backup backups/monday.db",
                    "  orderly store backup --config orderly.yaml backups/monday.db"})
    static final class BackupCommand implements Callable<Integer> {
        private static final String PATH = "/api/v1/store/backup";
        private static final Duration POLL = Duration.ofMillis(200);

        private final Terminal terminal;

        @Mixin
        private ApiOptions server = new ApiOptions();
        @Parameters(index = "0", paramLabel = "FILE", description = "The new file. An existing one is not replaced.")
        private Path file = Path.of("");

        BackupCommand(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            Path target = file.toAbsolutePath().normalize();
            JsonNode written = write(target);
            server.show(written, terminal,
                    shown -> terminal.out().println("Wrote " + TextTable.text(shown, "file") + ", "
                            + TextTable.text(shown, "bytes") + " bytes, and " + target.getFileName()
                            + "-running: the store at " + TextTable.text(shown, "at")
                            + ". Keep the secret file too, in another place."));
            return Main.OK;
        }

        private JsonNode write(Path target) {
            try (ApiClient api = server.client(terminal.environment())) {
                return byServer(api, target);
            } catch (CommandFailedException.NoServer e) {
                Path config = server.config();
                if (config == null) {
                    throw new CommandFailedException(
                            e.getMessage() + "; with --config the file of a server that does not run is"
                                    + " backed up too",
                            e);
                }
                return here(config, target);
            }
        }

        /** Begins a backup and waits for its end. */
        private JsonNode byServer(ApiClient api, Path target) {
            Time time = Time.system();
            JsonNode state = api.post(PATH, Map.of("file", target.toString()));
            try (Progress progress = new Progress(terminal, "Backup", " bytes", state.path("of").asLong(0))) {
                long shown = 0;
                while (target.toString().equals(state.path("writing").asString(""))) {
                    time.park(time.deadline(POLL));
                    state = api.get(PATH, Map.of());
                    progress.step(Math.max(0, state.path("copied").asLong(0) - shown));
                    shown = Math.max(shown, state.path("copied").asLong(0));
                }
            }
            if (!state.path("failure").isNull()
                    || !target.toString().equals(state.path("last").path("file").asString(""))) {
                throw new CommandFailedException(
                        "No backup was written. " + state.path("failure").asString("Another one began since"),
                        null);
            }
            return state.path("last");
        }

        private JsonNode here(Path config, Path target) {
            StoreConfig stores = ConfigOption.read(new ConfigFile(config, terminal.environment()), config).store();
            try (Store store = StoreOpener.open(stores)) {
                Backup backup = store.backup().write(target);
                return JsonMapper.shared().createObjectNode().put("file", backup.file().toString())
                        .put("bytes", backup.bytes()).put("at", backup.at().toString())
                        .put("took", backup.took().toString());
            } catch (StoreException | UnsupportedOperationException e) {
                throw new CommandFailedException(String.valueOf(e.getMessage()), e);
            }
        }
    }
}
