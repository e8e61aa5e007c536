package dev.orderly.store.postgres;

import dev.orderly.job.JobId;

/** The ids of this database's jobs: a job's number, and the salt that each database draws for itself. */
record JobIds(long salt) {
    JobId of(long seq) {
        return JobId.of(seq, salt);
    }

    /** Whether the id is of this database, so that its number identifies the job. */
    boolean isOwn(JobId id) {
        return of(id.sequence()).equals(id);
    }
}
