package dev.orderly.store.sqlite.port;

import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistoryStore;
import dev.orderly.history.HistorySubject;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.table.HistoryTable;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;

/** The port of the history: changes are requests to the writer, figures are read on a read-only connection. */
public final class SqliteHistory implements HistoryStore {
    private final RequestQueue requests;
    private final ReaderPool readers;

    public SqliteHistory(RequestQueue requests, ReaderPool readers) {
        this.requests = requests;
        this.readers = readers;
    }

    @Override
    public void append(String source, List<HistoryPart> parts) {
        HistoryStore.check(source, parts);
        requests.ask(WriteRequest.shared(parts.size(), WriteRequest.work(state -> {
            state.tables.history.append(source, parts);
            return true;
        })));
    }

    @Override
    public NavigableMap<Instant, HistoryFigures> read(HistorySubject subject, Scale scale, Instant from,
            Instant until) {
        HistoryStore.check(scale, from, until);
        return readers.read(connection -> HistoryTable.read(connection, subject, scale, from, until));
    }

    @Override
    public int prune(Instant minutesBefore, Instant hoursBefore, int limit) {
        return requests.ask(WriteRequest.shared(1,
                WriteRequest.work(state -> state.tables.history.prune(minutesBefore, hoursBefore, limit))));
    }
}
