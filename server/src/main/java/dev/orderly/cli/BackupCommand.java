package dev.orderly.cli;

import dev.orderly.Store;
import dev.orderly.cli.terminal.Progress;
import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.config.StoreConfig;
import dev.orderly.config.reader.ConfigFile;
import dev.orderly.server.StoreOpener;
import dev.orderly.store.BackupPort.Backup;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes a backup: the running server does, or this process if none runs. */
@Command(name = "backup",
        description = "Write a SQLite store into a new file while it is in use. The server writes FILE, on its own"
                + " machine; with --config this command does if no server answers. A second file, FILE-running, belongs"
                + " to it.",
        footer = {"  orderly store backup backups/monday.db",
                "  orderly store backup --config orderly.yaml backups/monday.db"})
final class BackupCommand implements Callable<Integer> {
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
        server.show(written, terminal, () -> terminal.out().println("Wrote " + TextTable.text(written, "file") + ", "
                + TextTable.text(written, "bytes") + " bytes, and " + target.getFileName()
                + "-running: the store at " + TextTable.text(written, "at")
                + ". Keep the secret file too, in another place."));
        return Main.OK;
    }

    private JsonNode write(Path target) {
        try (ApiClient api = server.client(terminal.environment())) {
            return byServer(api, target);
        } catch (CommandFailed.NoServer e) {
            Path config = server.config();
            if (config == null) {
                throw new CommandFailed(e.getMessage() + "; with --config the file of a server that does not run is"
                        + " backed up too", e);
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
            throw new CommandFailed(
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
            throw new CommandFailed(String.valueOf(e.getMessage()), e);
        }
    }
}
