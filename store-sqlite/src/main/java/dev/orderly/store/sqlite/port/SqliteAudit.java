package dev.orderly.store.sqlite.port;

import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.AuditStore;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.table.AuditTable;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The port of the audit log: changes are requests to the writer, lists are read on a read-only connection. */
public final class SqliteAudit implements AuditStore {
    private final RequestQueue requests;
    private final ReaderPool readers;

    public SqliteAudit(RequestQueue requests, ReaderPool readers) {
        this.requests = requests;
        this.readers = readers;
    }

    @Override
    public long append(AuditAct act, Outcome outcome, @Nullable String after) {
        return requests.ask(WriteRequest.shared(1,
                WriteRequest.work(state -> state.tables.audit.append(act, outcome, after))));
    }

    @Override
    public void end(long id, Outcome outcome, @Nullable String after) {
        requests.ask(WriteRequest.shared(1, WriteRequest.work(state -> {
            state.tables.audit.end(id, outcome, after);
            return true;
        })));
    }

    @Override
    public List<AuditEntry> list(AuditQuery query) {
        return readers.read(connection -> AuditTable.list(connection, query));
    }

    @Override
    public int prune(Instant before, long most, int limit) {
        return requests.ask(WriteRequest.shared(1,
                WriteRequest.work(state -> state.tables.audit.prune(before, most, limit))));
    }
}
