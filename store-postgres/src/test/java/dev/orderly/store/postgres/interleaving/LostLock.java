package dev.orderly.store.postgres.interleaving;

import dev.orderly.store.postgres.interleaving.PausePoints.Defect;
import org.jspecify.annotations.Nullable;

/** A lock that is not taken: wrong only in some orders of the statements of several nodes. */
enum LostLock {
    /** Two claims count the free slots of a limit, and both take them. */
    OF_A_LIMIT("limit_lock", " FOR NO KEY UPDATE SKIP LOCKED", ""),
    /** Two claims choose the same jobs. */
    OF_A_JOB("job_choose_standard", " FOR UPDATE SKIP LOCKED) AS by_", ") AS by_"),
    /** A batch closes and calls back while the push of a member is under way, which has found it open. */
    OF_A_BATCH_BY_A_PUSH(Meeting.PUSH_OF_A_MEMBER_AND_CLOSE, " FOR KEY SHARE OF batch", ""),
    /** A close does not wait for pushes of members. */
    OF_A_BATCH_BY_A_CLOSE(Meeting.PUSH_OF_A_MEMBER_AND_CLOSE, " FOR UPDATE OF batch", ""),
    /** Two rounds push the callback of a batch. */
    OF_A_BATCH_BY_A_ROUND(Meeting.TWO_ROUNDS, " FOR NO KEY UPDATE SKIP LOCKED", ""),
    /** A running member ends, and with it the batch, while it pushes a further one. */
    OF_A_RUNNING_MEMBER(Meeting.PUSH_OF_A_RUNNING_MEMBER_AND_ITS_END, " FOR SHARE OF job", ""),
    /** An attempt keeps a step while it ends. */
    OF_AN_ATTEMPT(Meeting.STEP_AND_END_OF_AN_ATTEMPT, "job.seq FOR UPDATE OF job", "job.seq FOR KEY SHARE OF patience"),
    /** An event comes between the question of an attempt and the end of the attempt, and starts no other. */
    OF_A_JOB_BY_AN_EVENT(Meeting.WAIT_AND_EVENT, "CROSS JOIN job WHERE seq = ? FOR UPDATE OF job",
            "CROSS JOIN job WHERE seq = ?");

    /** Calls that need the lock; null if random ones show it soon. */
    final @Nullable Meeting meeting;
    @SuppressWarnings("ImmutableEnumChecker") // a record of three texts
    final Defect defect;

    LostLock(String function, String lock, String replacement) {
        this.meeting = null;
        this.defect = new Defect(function, lock, replacement);
    }

    LostLock(Meeting meeting, String lock, String replacement) {
        this.meeting = meeting;
        this.defect = new Defect(null, lock, replacement);
    }
}
