package dev.orderly.http.api.backup;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.StoreControl;
import dev.orderly.store.StoreBackups;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Backups of the store into files of the server's machine. */
public final class BackupEndpoints {
    private static final String TAG = "config";

    private final OperationEndpoints operations;
    private final StoreBackups backups;

    public BackupEndpoints(OperationEndpoints operations) {
        this.operations = operations;
        this.backups = operations.targets().orderly().backups();
    }

    public List<ApiEndpoint> endpoints() {
        return List.of(
                new ApiEndpoint("backup", LeastRole.OPERATOR,
                        Endpoint.bodiless("GET", operations.base() + "/store/backup", this::state),
                        OperationDoc.of(TAG, "Show the backup under way and the last one")
                                .details("The last one since the start of this server.")
                                .answers(BackupJson.class, "The state of backups.")),
                operations.bodiless(OperationSpec.BEGIN_BACKUP,
                        call -> StoreControl.backup(file(QueryParameters.of(call.head(), "file").text("file"))),
                        (_, state) -> RecordJson.answer(202, BackupJson.of(state)),
                        OperationDoc.of(TAG, OperationSpec.BEGIN_BACKUP)
                                .takes(Parameter.query("file", "The absolute path of the file, in a folder that exists."
                                        + " An existing file is not replaced.").always())
                                .answers(202, BackupJson.class, "The backup is being written.")));
    }

    private Response state(Request call) {
        QueryParameters.of(call.head());
        return RecordJson.ok(BackupJson.of(backups.state()));
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
}
