package dev.orderly.testkit;

import dev.orderly.access.TokenName;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.AuditStore;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.access.store.CredentialUses;
import dev.orderly.access.store.Credentials;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistoryStore;
import dev.orderly.history.HistorySubject;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The ports of access, of keys with values, and of the history, in memory. */
final class MemoryAccess {
    private MemoryAccess() {}

    /** The credentials port of a {@link MemoryStore}. Its whole state survives {@link MemoryStore#crash}. */
    static final class MemoryCredentials implements CredentialStore {
        private final MemoryTable table;
        private final Map<TokenName, StoredToken> tokens;
        private final Map<String, LoginSession> sessions;

        MemoryCredentials(MemoryTable table) {
            this(table, new TreeMap<>(), new HashMap<>());
        }

        private MemoryCredentials(MemoryTable table, Map<TokenName, StoredToken> tokens,
                Map<String, LoginSession> sessions) {
            this.table = table;
            this.tokens = tokens;
            this.sessions = sessions;
        }

        /** The credentials, for another process. */
        MemoryCredentials in(MemoryTable next) {
            return new MemoryCredentials(next, tokens, sessions);
        }

        @Override
        public Created create(StoredToken token) {
            return table.locked(() -> {
                StoredToken found = tokens.get(token.token().name());
                if (found != null) {
                    return found.hash().equals(token.hash()) ? Created.CREATED : Created.NAME_TAKEN;
                }
                if (tokens.size() >= TOKENS_MAX) {
                    return Created.FULL;
                }
                tokens.put(token.token().name(), token);
                return Created.CREATED;
            });
        }

        @Override
        public boolean revoke(TokenName name) {
            return table.locked(() -> {
                sessions.values().removeIf(session -> session.token().equals(name));
                return tokens.remove(name) != null;
            });
        }

        @Override
        public Credentials read() {
            return table.locked(() -> new Credentials(List.copyOf(tokens.values()), List.copyOf(sessions.values())));
        }

        @Override
        public void used(CredentialUses uses) {
            var _ = table.locked(() -> {
                uses.tokens().forEach((name, at) -> tokens.computeIfPresent(name,
                        (_, found) -> found.lastUsed() != null && !found.lastUsed().isBefore(at)
                                ? found
                                : new StoredToken(found.token(), found.hash(), at)));
                uses.sessions().forEach((hash, at) -> sessions.computeIfPresent(hash,
                        (_, found) -> found.lastSeen().isBefore(at)
                                ? new LoginSession(hash, found.token(), found.opened(), at)
                                : found));
                return true;
            });
        }

        @Override
        public boolean open(LoginSession session) {
            return table.locked(() -> {
                if (!tokens.containsKey(session.token())) {
                    return false;
                }
                if (sessions.size() >= SESSIONS_MAX) {
                    sessions.values().stream().min(Comparator.comparing(LoginSession::lastSeen))
                            .ifPresent(oldest -> sessions.remove(oldest.hash()));
                }
                sessions.put(session.hash(), session);
                return true;
            });
        }

        @Override
        public boolean close(String hash) {
            return table.locked(() -> sessions.remove(hash) != null);
        }

        @Override
        public int expire(Instant opened, Instant lastSeen) {
            return table.locked(() -> {
                int before = sessions.size();
                sessions.values().removeIf(session -> session.opened().isBefore(opened)
                        || session.lastSeen().isBefore(lastSeen));
                return before - sessions.size();
            });
        }
    }

    /** The audit port of a {@link MemoryStore}. Its whole state survives {@link MemoryStore#crash}. */
    static final class MemoryAudit implements AuditStore {
        private final MemoryTable table;
        private final NavigableMap<Long, AuditEntry> entries;
        private final AtomicLong last;

        MemoryAudit(MemoryTable table) {
            this(table, new TreeMap<>(), new AtomicLong());
        }

        private MemoryAudit(MemoryTable table, NavigableMap<Long, AuditEntry> entries, AtomicLong last) {
            this.table = table;
            this.last = last;
            this.entries = entries;
        }

        /** The log, for another process. */
        MemoryAudit in(MemoryTable next) {
            return new MemoryAudit(next, entries, last);
        }

        @Override
        public long append(AuditAct act, Outcome outcome, @Nullable String after) {
            return table.locked(() -> {
                long id = last.incrementAndGet();
                entries.put(id, new AuditEntry(id, act, outcome, after));
                return id;
            });
        }

        @Override
        public void end(long id, Outcome outcome, @Nullable String after) {
            var _ = table.locked(() -> {
                entries.computeIfPresent(id, (_, entry) -> entry.outcome() == Outcome.UNKNOWN
                        ? new AuditEntry(id, entry.act(), outcome, after)
                        : entry);
                return true;
            });
        }

        @Override
        public List<AuditEntry> list(AuditQuery query) {
            return table.locked(() -> entries.descendingMap().values().stream().filter(query::matches)
                    .limit(query.limit()).toList());
        }

        @Override
        public int prune(Instant before, long most, int limit) {
            return table.locked(() -> {
                long newest = entries.isEmpty() ? 0 : entries.lastKey();
                List<Long> old = entries.values().stream()
                        .filter(entry -> entry.act().at().isBefore(before) || entry.id() <= newest - most)
                        .limit(limit).map(AuditEntry::id).toList();
                old.forEach(entries::remove);
                return old.size();
            });
        }
    }

    /** The keys and values of a {@link MemoryStore}. Its whole state survives {@link MemoryStore#crash}. */
    static final class MemoryKeyValues implements KeyValueStore {
        private final MemoryTable table;
        private final Map<String, Kept> values;
        private final AtomicLong lastVersion;

        private record Kept(StoredValue value, Instant until) {}

        MemoryKeyValues(MemoryTable table) {
            this(table, new HashMap<>(), new AtomicLong());
        }

        private MemoryKeyValues(MemoryTable table, Map<String, Kept> values, AtomicLong lastVersion) {
            this.table = table;
            this.values = values;
            this.lastVersion = lastVersion;
        }

        /** The values, for another process. */
        MemoryKeyValues in(MemoryTable next) {
            return new MemoryKeyValues(next, values, lastVersion);
        }

        @Override
        public Optional<StoredValue> read(String key, Instant now) {
            return table.locked(() -> {
                values.values().removeIf(kept -> !now.isBefore(kept.until));
                return Optional.ofNullable(values.get(key)).map(Kept::value);
            });
        }

        @Override
        public OptionalLong replace(String key, long seen, String text, Instant until, Instant now) {
            KeyValueStore.check(key, text);
            return table.locked(() -> {
                if (read(key, now).map(StoredValue::version).orElse(ABSENT) != seen) {
                    return OptionalLong.empty();
                }
                long version = lastVersion.incrementAndGet();
                values.put(key, new Kept(new StoredValue(version, text), until));
                return OptionalLong.of(version);
            });
        }
    }

    /** The history port of a {@link MemoryStore}. Its whole state survives {@link MemoryStore#crash}. */
    static final class MemoryHistory implements HistoryStore {
        private final MemoryTable table;
        private final Recorded recorded;

        /** A minute of a source. */
        private record Written(String source, HistorySubject subject, Instant at) {}

        private record Recorded(Set<Written> written,
                Map<Scale, Map<HistorySubject, NavigableMap<Instant, HistoryFigures>>> spans) {
            NavigableMap<Instant, HistoryFigures> of(Scale scale, HistorySubject subject) {
                return spans.computeIfAbsent(scale, _ -> new HashMap<>()).computeIfAbsent(subject,
                        _ -> new TreeMap<>());
            }
        }

        MemoryHistory(MemoryTable table) {
            this(table, new Recorded(new HashSet<>(), new HashMap<>()));
        }

        private MemoryHistory(MemoryTable table, Recorded recorded) {
            this.table = table;
            this.recorded = recorded;
        }

        /** The history, for another process. */
        MemoryHistory in(MemoryTable next) {
            return new MemoryHistory(next, recorded);
        }

        @Override
        public void append(String source, List<HistoryPart> parts) {
            HistoryStore.check(source, parts);
            var _ = table.locked(() -> {
                for (HistoryPart part : parts) {
                    if (recorded.written.add(new Written(source, part.subject(), part.at()))) {
                        recorded.of(Scale.MINUTE, part.subject()).merge(part.at(), part.figures(),
                                HistoryFigures::plus);
                        recorded.of(Scale.HOUR, part.subject()).merge(part.hour(), part.figures(),
                                HistoryFigures::plus);
                    }
                }
                return true;
            });
        }

        @Override
        public NavigableMap<Instant, HistoryFigures> read(HistorySubject subject, Scale scale, Instant from,
                Instant until) {
            HistoryStore.check(scale, from, until);
            return table.locked(() -> new TreeMap<>(recorded.of(scale, subject).subMap(from, true, until, false)));
        }

        @Override
        public int prune(Instant minutesBefore, Instant hoursBefore, int limit) {
            return table.locked(() -> {
                recorded.written.removeIf(written -> written.at.isBefore(minutesBefore));
                return prune(Scale.MINUTE, minutesBefore, limit) + prune(Scale.HOUR, hoursBefore, limit);
            });
        }

        private int prune(Scale scale, Instant before, int limit) {
            List<Map.Entry<HistorySubject, Instant>> old = recorded.spans.getOrDefault(scale, Map.of()).entrySet()
                    .stream()
                    .flatMap(spans -> spans.getValue().headMap(before, false).keySet().stream()
                            .map(at -> Map.entry(spans.getKey(), at)))
                    .limit(limit).toList();
            old.forEach(span -> recorded.of(scale, span.getKey()).remove(span.getValue()));
            return old.size();
        }
    }
}
