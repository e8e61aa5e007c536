package dev.orderly.store.postgres;

import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistoryStore;
import dev.orderly.history.HistorySubject;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The port of the history. An append locks the rows of its hours, in the order of their keys, until the commit: nodes
 * that write at the same moment wait for each other.
 */
final class PostgresHistory implements HistoryStore {
    private final Transactions transactions;

    PostgresHistory(Transactions transactions) {
        this.transactions = transactions;
    }

    /** The key of a row: a subject, and the begin of its span. */
    private record Key(String subject, long at) {
        static final Comparator<Key> ORDER = Comparator.comparing(Key::subject).thenComparingLong(Key::at);
    }

    @Override
    public void append(String source, List<HistoryPart> parts) {
        HistoryStore.check(source, parts);
        Map<Key, HistoryPart> minutes = new HashMap<>();
        parts.forEach(part -> minutes.put(new Key(part.subject().key(), part.at().getEpochSecond()), part));
        transactions.run(connection -> {
            Map<Key, HistoryFigures> hours = new TreeMap<>(Key.ORDER);
            for (Key inserted : insert(connection, source, parts)) {
                HistoryPart part = minutes.get(inserted);
                if (part != null) {
                    hours.merge(new Key(inserted.subject, part.hour().getEpochSecond()), part.figures(),
                            HistoryFigures::plus);
                }
            }
            if (!hours.isEmpty()) {
                addToHours(connection, hours);
            }
            return true;
        });
    }

    /** The keys of the minutes that were new. */
    private static List<Key> insert(Connection connection, String source, List<HistoryPart> parts)
            throws SQLException {
        return new Sql(connection, "INSERT INTO minute(subject, at, source, figures)"
                + " SELECT subject, at, ?, figures FROM unnest(?, ?, ?) AS part(subject, at, figures)"
                + " ON CONFLICT DO NOTHING RETURNING subject, at").with(source)
                .texts(parts.stream().map(part -> part.subject().key()).toList())
                .longs(parts.stream().map(part -> part.at().getEpochSecond()).toList())
                .bytes(parts.stream().<byte @Nullable []>map(part -> part.figures().stored()).toList())
                .list(row -> new Key(row.getString(1), row.getLong(2)));
    }

    /** @param hours in the order of their keys, in which they are locked */
    private static void addToHours(Connection connection, Map<Key, HistoryFigures> hours) throws SQLException {
        List<String> subjects = hours.keySet().stream().map(Key::subject).toList();
        List<Long> moments = hours.keySet().stream().map(Key::at).toList();
        new Sql(connection, "INSERT INTO hour(subject, at, figures)"
                + " SELECT subject, at, '' FROM unnest(?, ?) AS part(subject, at) ON CONFLICT DO NOTHING")
                .texts(subjects).longs(moments).update();
        Map<Key, HistoryFigures> joined = new TreeMap<>(Key.ORDER);
        joined.putAll(hours);
        new Sql(connection, "SELECT hour.subject, hour.at, hour.figures FROM hour"
                + " JOIN unnest(?, ?) AS part(subject, at) ON hour.subject = part.subject AND hour.at = part.at"
                + " ORDER BY hour.subject, hour.at FOR UPDATE OF hour").texts(subjects).longs(moments).list(row -> {
                    joined.merge(new Key(row.getString(1), row.getLong(2)), HistoryFigures.read(row.getBytes(3)),
                            HistoryFigures::plus);
                    return true;
                });
        new Sql(connection, "UPDATE hour SET figures = part.figures"
                + " FROM unnest(?, ?, ?) AS part(subject, at, figures)"
                + " WHERE hour.subject = part.subject AND hour.at = part.at").texts(subjects).longs(moments)
                .bytes(joined.values().stream().<byte @Nullable []>map(HistoryFigures::stored).toList()).update();
    }

    @Override
    public NavigableMap<Instant, HistoryFigures> read(HistorySubject subject, Scale scale, Instant from,
            Instant until) {
        HistoryStore.check(scale, from, until);
        String table = switch (scale) {
            case MINUTE -> "minute";
            case HOUR -> "hour";
        };
        return transactions.run(connection -> {
            NavigableMap<Instant, HistoryFigures> found = new TreeMap<>();
            new Sql(connection, "SELECT at, figures FROM " + table + " WHERE subject = ? AND at >= ? AND at < ?")
                    .with(subject.key()).with(from.getEpochSecond()).with(until.getEpochSecond()).list(row -> found
                            .merge(Instant.ofEpochSecond(row.getLong(1)), HistoryFigures.read(row.getBytes(2)),
                                    HistoryFigures::plus));
            return found;
        });
    }

    @Override
    public int prune(Instant minutesBefore, Instant hoursBefore, int limit) {
        return transactions.run(connection -> prune(connection, "minute", minutesBefore, limit)
                + prune(connection, "hour", hoursBefore, limit));
    }

    private static int prune(Connection connection, String table, Instant before, int limit) throws SQLException {
        return new Sql(connection, "DELETE FROM " + table + " WHERE ctid = ANY(ARRAY(SELECT ctid FROM " + table
                + " WHERE at + 0 < ? LIMIT ? FOR UPDATE SKIP LOCKED))").with(before.getEpochSecond()).with(limit)
                .update();
    }
}
