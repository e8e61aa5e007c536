package dev.orderly.store.sqlite.table;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobTerms;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.sql.AttemptColumn;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sqlite.table.DeferredWrites.DeferredWrite;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Statements on the terms of jobs in table {@code job}: the part of {@code params} that says them, and the columns that
 * jobs are found by. The searches see only writes that were run.
 */
public final class JobTermsTable {
    private final DeferredWrite found;
    private final DeferredWrite unexpiring;
    private final PreparedStatement stored;
    private final PreparedStatement history;
    private final PreparedStatement expired;
    private final PreparedStatement ofKey;
    private final DeferredWrite replaced;
    private final PreparedStatement user;

    JobTermsTable(Connection connection, DeferredWrites writes) throws SQLException {
        found = writes.prepare("UPDATE job SET expires_at = ?, unique_key = ? WHERE seq = ?");
        unexpiring = writes.prepare("UPDATE job SET expires_at = NULL, params = ? WHERE seq = ?");
        stored = connection.prepareStatement("SELECT params FROM job WHERE seq = ?");
        history = connection.prepareStatement("SELECT history FROM job WHERE seq = ?");
        expired = StoredJob.prepare(connection, "SELECT seq FROM job WHERE expires_at IS NOT NULL AND state <= DELAYED"
                + " AND expires_at <= ? ORDER BY expires_at");
        ofKey = StoredJob.prepare(connection, "SELECT seq FROM job WHERE unique_key IS NOT NULL AND state <= DELAYED"
                + " AND unique_key = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY seq DESC");
        replaced = writes.prepare("UPDATE job SET state = ?, ready_at = ?, params = ?, content_type = ?, payload = ?,"
                + " expires_at = ? WHERE seq = ?");
        user = connection.prepareStatement("SELECT user FROM job WHERE seq = ?");
    }

    /** Writes the columns that a new job is found by. Its params have the terms. */
    void insert(long seq, NewJob job) throws SQLException {
        if (job.terms().expiresAt() != null || job.unique() != null) {
            PreparedStatement by = found.next();
            ColumnCodecs.moment(by, 1, job.terms().expiresAt());
            by.setBytes(2, job.unique() == null ? null : job.unique().bytes());
            by.setLong(3, seq);
            by.addBatch();
        }
    }

    /** Takes the expiry out of the terms of a job. */
    void unexpire(long seq) throws SQLException {
        String params = params(seq);
        JobTerms terms = ColumnCodecs.terms(params);
        if (terms.expiresAt() != null) {
            unexpiring.next().setString(1,
                    ColumnCodecs.params(ColumnCodecs.params(params), terms.withExpiresAt(null)));
            unexpiring.next().setLong(2, seq);
            unexpiring.next().addBatch();
        }
    }

    private @Nullable String params(long seq) throws SQLException {
        stored.setLong(1, seq);
        try (ResultSet row = stored.executeQuery()) {
            return row.next() ? row.getString(1) : null;
        }
    }

    /** The terms of a job, with their moment as stored. */
    public JobTerms of(long seq) throws SQLException {
        return ColumnCodecs.terms(params(seq));
    }

    /** The ended attempts of a job, with their moments as stored. */
    public List<JobAttempt> attempts(long seq) throws SQLException {
        history.setLong(1, seq);
        try (ResultSet row = history.executeQuery()) {
            return row.next() ? AttemptColumn.read(row.getString(1), UnaryOperator.identity()) : List.of();
        }
    }

    /** Unsettled jobs that have expired and are wanted, by their expiry. */
    public List<Long> expired(long now, LongPredicate wanted, int limit) throws SQLException {
        expired.setLong(1, now);
        return numbers(expired, wanted, limit);
    }

    /** The newest of the wanted unsettled jobs of a unique key that have not expired; empty for none. */
    public List<Long> ofKey(DedupeKey unique, long now, LongPredicate wanted) throws SQLException {
        ofKey.setBytes(1, unique.bytes());
        ofKey.setLong(2, now);
        return numbers(ofKey, wanted, 1);
    }

    /** Whether a job belongs to the user of another; or both to none. */
    public boolean hasUserOf(long seq, NewJob other) throws SQLException {
        user.setLong(1, seq);
        try (ResultSet row = user.executeQuery()) {
            return row.next() && Objects.equals(row.getString(1), UserId.column(other.user()));
        }
    }

    /** Writes what a later push of its debounce key says of a job. */
    void replace(Place to, NewJob later) throws SQLException {
        PreparedStatement into = replaced.next();
        into.setInt(1, to.state());
        ColumnCodecs.moment(into, 2, to.readyAt() == 0 ? null : Instant.ofEpochMilli(to.readyAt()));
        into.setString(3, ColumnCodecs.params(later.params(), later.terms()));
        into.setString(4, JobTable.contentType(later.payload()));
        into.setBytes(5, later.payload().bytes());
        ColumnCodecs.moment(into, 6, later.terms().expiresAt());
        into.setLong(7, to.seq());
        into.addBatch();
    }

    private static List<Long> numbers(PreparedStatement query, LongPredicate wanted, int limit) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        try (ResultSet rows = query.executeQuery()) {
            while (numbers.size() < limit && rows.next()) {
                if (wanted.test(rows.getLong(1))) {
                    numbers.add(rows.getLong(1));
                }
            }
        }
        return numbers;
    }
}
