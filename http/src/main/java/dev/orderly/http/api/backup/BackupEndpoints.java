package dev.orderly.http.api.backup;

import dev.orderly.http.access.ApiCall;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.store.BackupPort.Backup;
import dev.orderly.store.StoreBackups;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import dev.orderly.web.route.Endpoint;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Backups of the store into files of the server's machine. */
public final class BackupEndpoints {
    private final StoreBackups backups;
    private final String path;

    public BackupEndpoints(StoreBackups backups, String base) {
        this.backups = backups;
        this.path = base + "/store/backup";
    }

    public List<ApiEndpoint> endpoints() {
        return List.of(
                ApiEndpoint.view("backup", LeastRole.OPERATOR, Endpoint.bodiless("GET", path, this::state)),
                ApiEndpoint.change("beginBackup", LeastRole.ADMIN, Endpoint.bodiless("POST", path, this::begin)));
    }

    private Response state(Request call) {
        QueryParameters.of(call.head());
        return Response.json(200, JsonText.of(json(backups.state())));
    }

    /** Answers at once; the end of the backup has an entry of its own in the audit log. */
    private Response begin(Request call) {
        String asked = QueryParameters.of(call.head(), "file").text("file");
        Path file = file(asked);
        Consumer<String> ended = ApiCall.current().endOf("backup " + file);
        boolean begun = ApiCall.current().change("backup " + file, null, () -> backups.begin(file, ended),
                done -> done ? "begun" : "refused");
        if (!begun) {
            throw new Refusal(ProblemType.BACKUP_REFUSED, "A backup is being written: wait for its end");
        }
        return Response.json(202, JsonText.of(json(backups.state())));
    }

    private static Path file(@Nullable String asked) {
        try {
            Path file = Path.of(asked == null ? "" : asked);
            if (file.isAbsolute() && file.getFileName() != null) {
                return file.normalize();
            }
        } catch (InvalidPathException _) {
            // refused below
        }
        throw QueryParameters.bad("file", asked == null ? "" : asked,
                "name a new file by its absolute path on the server's machine");
    }

    private static ObjectNode json(StoreBackups.State state) {
        ObjectNode json = JsonText.object().put("writing", state.writing() == null ? null : state.writing().toString())
                .put("copied", state.copied()).put("of", state.all());
        Backup last = state.last();
        if (last == null) {
            json.putNull("last");
        } else {
            json.putObject("last").put("file", last.file().toString()).put("bytes", last.bytes())
                    .put("at", last.at().toString()).put("took", last.took().toString());
        }
        return json.put("failure", state.failure());
    }
}
