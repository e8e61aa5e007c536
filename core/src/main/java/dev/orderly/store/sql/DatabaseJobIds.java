package dev.orderly.store.sql;

import dev.orderly.job.JobId;

/**
 * The job ids of one database, whose columns hold only the sequence number.
 *
 * @param salt random number of the database, which makes its ids differ from the ids of other databases
 */
public record DatabaseJobIds(long salt) {
    /** The id with this sequence number. */
    public JobId of(long sequence) {
        return JobId.of(sequence, salt);
    }

    /** Whether the id belongs to this database, so that its sequence number identifies the job. */
    public boolean isOwn(JobId id) {
        return of(id.sequence()).equals(id);
    }
}
