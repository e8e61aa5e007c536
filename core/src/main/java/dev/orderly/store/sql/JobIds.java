package dev.orderly.store.sql;

import dev.orderly.job.JobId;

/**
 * The job ids of one database: a column holds the sequence number alone.
 *
 * @param salt the database's own, which makes its ids differ from those of other databases
 */
public record JobIds(long salt) {
    /** The id of a sequence number. */
    public JobId of(long sequence) {
        return JobId.of(sequence, salt);
    }

    /** Whether the id is of this database, so that its sequence number identifies the job. */
    public boolean isOwn(JobId id) {
        return of(id.sequence()).equals(id);
    }
}
