package dev.orderly.store.postgres.job;

import dev.orderly.flow.LogLimit;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.BatchRules;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the jobs of a push that another transaction blocks, after the push has waited in vain. Waits 5 milliseconds for
 * each blocked group or key, and locks the others, so the transaction has to be rolled back.
 */
public final class BlockedJobs {
    private static final Logger LOG = LoggerFactory.getLogger(BlockedJobs.class);

    private final Duration callerHold;
    private final LogLimit log = new LogLimit(LOG, Time.system(), Duration.ofMinutes(1));

    /** @param callerHold longest time for which a caller's own transaction may hold a group, for the message */
    public BlockedJobs(Duration callerHold) {
        this.callerHold = callerHold;
    }

    private record Key(int kind, UUID key, int job) {}

    /** @throws StoreException.Blocked if any job is blocked; it has the indexes of the blocked jobs */
    void refuse(Connection connection, Map<QueueName, Integer> queues, List<NewJob> jobs) throws SQLException {
        BitSet blocked = new BitSet();
        Set<Lane> lanes = new HashSet<>();
        for (NewJob job : jobs) {
            if (job.group() != null) {
                lanes.add(lane(queues, job, job.group()));
            }
        }
        Set<Lane> locked = lanes(connection, lanes);
        for (int n = 0; n < jobs.size(); n++) {
            String group = jobs.get(n).group();
            if (group != null && locked.contains(lane(queues, jobs.get(n), group))) {
                blocked.set(n);
            }
        }
        keys(connection, jobs).forEach(blocked::set);
        UniqueJobs.blocked(connection, jobs).forEach(blocked::set);
        Set<Long> batches = BatchAdmission.held(connection, jobs);
        for (int n = 0; n < jobs.size(); n++) {
            if (isOf(batches, jobs.get(n))) {
                blocked.set(n);
            }
        }
        if (!blocked.isEmpty()) {
            NewJob first = jobs.get(blocked.nextSetBit(0));
            boolean ofBatch = isOf(batches, first);
            String what = ofBatch
                    ? "Batch " + BatchRules.link(first).name()
                    : first.group() == null
                            ? "A key of a push into queue " + first.queue()
                            : "Group " + first.group() + " of queue " + first.queue();
            Optional<LockHolders.Holder> holder = ofBatch
                    ? Optional.empty()
                    : first.group() == null || locked.isEmpty()
                            ? LockHolders.ofKeys(connection)
                            : LockHolders.of(connection, lane(queues, first, first.group()));
            String message = what + " is held by an open transaction that "
                    + (ofBatch ? "closes it" : "pushed there or completed a job") + ": let it end"
                    + " sooner; the server ends it when it has been idle for " + callerHold.toSeconds()
                    + " s (caller-hold in the store's address), unless it is prepared"
                    + holder.map(found -> ". It is " + found).orElse("");
            log.warn("A push waits: {}", message);
            throw new StoreException.Blocked(message, blocked, null);
        }
    }

    private static boolean isOf(Set<Long> batches, NewJob job) {
        return job.terms().isMember() && batches.contains(BatchRules.link(job).number());
    }

    /** The lanes that another transaction holds. */
    static Set<Lane> lanes(Connection connection, Collection<Lane> lanes) throws SQLException {
        List<Lane> asked = List.copyOf(lanes);
        return asked.isEmpty()
                ? Set.of()
                : new HashSet<>(new Sql(connection, "SELECT held FROM blocked(true, ?, ?)")
                        .ints(asked.stream().map(Lane::queue).toList()).texts(asked.stream().map(Lane::name).toList())
                        .list(row -> asked.get(row.getInt(1) - 1)));
    }

    /** The indexes of jobs with a key that another transaction holds. */
    private static List<Integer> keys(Connection connection, List<NewJob> jobs) throws SQLException {
        List<Key> asked = new ArrayList<>();
        for (int n = 0; n < jobs.size(); n++) {
            DedupeKey dedupe = jobs.get(n).dedupe();
            if (dedupe != null) {
                asked.add(new Key(StoredDedupeKeys.kind(jobs.get(n)), JobColumns.key(dedupe), n));
            }
            if (jobs.get(n).idempotency() != null) {
                asked.add(new Key(StoredDedupeKeys.IDEMPOTENCY,
                        JobColumns.key(Objects.requireNonNull(jobs.get(n).idempotency()).key()), n));
            }
        }
        return asked.isEmpty()
                ? List.of()
                : new Sql(connection, "SELECT held FROM blocked(false, ?, ?)")
                        .ints(asked.stream().map(Key::kind).toList())
                        .texts(asked.stream().map(key -> key.key().toString()).toList())
                        .list(row -> asked.get(row.getInt(1) - 1).job);
    }

    private static Lane lane(Map<QueueName, Integer> queues, NewJob job, String group) {
        return new Lane(Objects.requireNonNull(queues.get(job.queue())), group);
    }
}
