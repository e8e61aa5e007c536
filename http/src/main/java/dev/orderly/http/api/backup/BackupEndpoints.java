package dev.orderly.http.api.backup;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.StoreControl;
import dev.orderly.store.BackupPort.Backup;
import dev.orderly.store.StoreBackups;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Backups of the store into files of the server's machine. */
public final class BackupEndpoints {
    private final OperationEndpoints operations;
    private final StoreBackups backups;

    public BackupEndpoints(OperationEndpoints operations) {
        this.operations = operations;
        this.backups = operations.targets().orderly().backups();
    }

    public List<ApiEndpoint> endpoints() {
        return List.of(
                new ApiEndpoint("backup", LeastRole.OPERATOR,
                        Endpoint.bodiless("GET", operations.base() + "/store/backup", this::state)),
                operations.bodiless(OperationSpec.BEGIN_BACKUP,
                        call -> StoreControl.backup(file(QueryParameters.of(call.head(), "file").text("file"))),
                        (_, state) -> Response.json(202, JsonText.of(json(state)))));
    }

    private Response state(Request call) {
        QueryParameters.of(call.head());
        return Response.json(200, JsonText.of(json(backups.state())));
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
