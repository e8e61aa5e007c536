package dev.orderly.operate;

import dev.orderly.operate.OperationRefusedException.Reason;
import dev.orderly.store.StoreBackups;
import java.nio.file.Path;

/** The operations on the store. */
public final class StoreControl {
    private StoreControl() {}

    /** Begins a backup, and returns; its end has an entry of its own in the audit log. */
    public static Operation<StoreBackups.State> backup(Path file) {
        return new Operation<>(OperationSpec.BEGIN_BACKUP, (targets, _) -> new PreparedChange<>("backup " + file, null,
                null, ended -> {
                    StoreBackups backups = targets.orderly().backups();
                    if (!backups.begin(file, ended)) {
                        throw new OperationRefusedException(Reason.BACKUP_REFUSED,
                                "A backup is being written: wait for its end");
                    }
                    return backups.state();
                }, _ -> "begun"));
    }
}
