package dev.orderly.store.sql;

import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.search.DeadLetterGroups;
import dev.orderly.job.search.DeadLetterGroups.Group;
import dev.orderly.job.search.ErrorFingerprint;
import dev.orderly.job.search.ErrorShape;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Groups of dead letters by error, from an index over queue, error and sequence number: a seek for each error, and a
 * count that stops at its share of the bound.
 */
public final class DeadErrorScan {
    private static final String UNKNOWN = "(died before errors were stored)";

    private final Index index;

    /** @param index read on one snapshot */
    public DeadErrorScan(Index index) {
        this.index = index;
    }

    /** The index of dead letters by queue, error and sequence number. */
    public interface Index {
        /** The first error of a queue after a value, or at it; null if there is none. */
        @Nullable
        ErrorFingerprint next(int queue, long after, boolean inclusive) throws SQLException;

        /** The number of dead letters, counted up to a limit. */
        long count(int queue, ErrorFingerprint error, long most) throws SQLException;

        /** The dead letter that was pushed first, or last; null if there is none. */
        @Nullable
        JobView end(int queue, ErrorFingerprint error, boolean first) throws SQLException;
    }

    private record Key(QueueName name, int queue, ErrorFingerprint error) {}

    /** @param queues the numbers of the queues to read */
    public DeadLetterGroups groups(Map<QueueName, Integer> queues) throws SQLException {
        List<Key> keys = new ArrayList<>();
        boolean complete = keys(queues, keys);
        long most = DeadLetterGroups.COUNTED_MAX / Math.max(1, keys.size());
        List<Group> groups = new ArrayList<>();
        for (Key key : keys) {
            long count = index.count(key.queue, key.error, most);
            JobView first = index.end(key.queue, key.error, true);
            JobView last = index.end(key.queue, key.error, false);
            if (first != null && last != null) {
                groups.add(new Group(key.name, key.error, shape(key.error, last), count, count == most, first, last));
            }
        }
        groups.sort(Comparator.comparingLong(Group::count).reversed().thenComparing(Group::shape)
                .thenComparing(group -> group.queue().value()));
        return new DeadLetterGroups(groups, complete);
    }

    /** Adds the errors of queues; false if there are more than the bound. */
    private boolean keys(Map<QueueName, Integer> queues, List<Key> keys) throws SQLException {
        for (Map.Entry<QueueName, Integer> queue : queues.entrySet()) {
            int number = queue.getValue();
            for (ErrorFingerprint error = index.next(number, Long.MIN_VALUE, true); error != null; error = index
                    .next(number, error.value(), false)) {
                if (keys.size() == DeadLetterGroups.GROUPS_MAX) {
                    return false;
                }
                keys.add(new Key(queue.getKey(), number, error));
            }
        }
        return true;
    }

    private static String shape(ErrorFingerprint error, JobView example) {
        return error.equals(ErrorFingerprint.NONE) || example.failure() == null
                ? UNKNOWN
                : ErrorShape.of(example.failure().summary()).toString();
    }
}
