package dev.orderly.store.sql;

import dev.orderly.access.AccessToken;
import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.job.QueueName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of tokens, sessions and the audit log, equal in every SQL database. */
public final class AccessRows {
    /** The columns of a token. */
    public static final String TOKEN = "name, hash, role, queues, created, ends, used";
    /** The columns of a session. */
    public static final String SESSION = "hash, token, opened, seen";
    /** The columns of an entry. */
    public static final String ENTRY = "id, at, kind, name, address, operation, object, before, after, outcome";

    private AccessRows() {}

    public static StoredToken token(ResultSet row) throws SQLException {
        Set<QueueName> queues = Arrays.stream(row.getString("queues").split(",")).filter(name -> !name.isEmpty())
                .map(QueueName::new).collect(Collectors.toSet());
        Role role = Role.valueOf(row.getString("role").toUpperCase(Locale.ROOT));
        return new StoredToken(new AccessToken(new TokenName(row.getString("name")), role, queues,
                Instant.ofEpochMilli(row.getLong("created")), ColumnCodecs.moment(row, "ends")),
                row.getString("hash"), ColumnCodecs.moment(row, "used"));
    }

    /** The queues of a token in one column. */
    public static String queues(AccessToken token) {
        return token.queues().stream().map(QueueName::value).collect(Collectors.joining(","));
    }

    public static LoginSession session(ResultSet row) throws SQLException {
        return new LoginSession(row.getString("hash"), new TokenName(row.getString("token")),
                Instant.ofEpochMilli(row.getLong("opened")), Instant.ofEpochMilli(row.getLong("seen")));
    }

    /**
     * A statement that lists entries, newest first.
     *
     * @param values of its parameters, in their order: texts and whole numbers
     */
    public record Listing(String sql, List<Object> values) {}

    /** The statement for a query. */
    public static Listing listing(AuditQuery query) {
        List<Object> values = new ArrayList<>();
        String sql = "SELECT " + ENTRY + " FROM audit WHERE true" + condition(" AND id < ?", query.before(), values)
                + condition(" AND name = ?", query.name(), values)
                + condition(" AND operation = ?", query.operation(), values)
                + condition(" AND object = ?", query.object(), values)
                + condition(" AND at >= ?", millis(query.since()), values)
                + condition(" AND at < ?", millis(query.until()), values) + " ORDER BY id DESC LIMIT " + query.limit();
        return new Listing(sql, values);
    }

    private static String condition(String sql, @Nullable Object value, List<Object> values) {
        if (value == null) {
            return "";
        }
        values.add(value);
        return sql;
    }

    private static @Nullable Long millis(@Nullable Instant moment) {
        return moment == null ? null : ColumnCodecs.millis(moment);
    }

    public static AuditEntry entry(ResultSet row) throws SQLException {
        Identity.Kind kind = Identity.Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT));
        AuditAct act = new AuditAct(Instant.ofEpochMilli(row.getLong("at")), kind, row.getString("name"),
                row.getString("address"), row.getString("operation"), row.getString("object"), row.getString("before"));
        return new AuditEntry(row.getLong("id"), act,
                Outcome.valueOf(row.getString("outcome").toUpperCase(Locale.ROOT)), row.getString("after"));
    }
}
