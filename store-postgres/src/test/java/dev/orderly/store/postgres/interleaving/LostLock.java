package dev.orderly.store.postgres.interleaving;

import dev.orderly.store.postgres.interleaving.PausePoints.Defect;

/** A lock that a function does not take: wrong only in some orders of the statements of several nodes. */
enum LostLock {
    /** Two claims count the free slots of a limit, and both take them. */
    OF_A_LIMIT("limit_lock", " FOR NO KEY UPDATE SKIP LOCKED", ""),
    /** Two claims choose the same jobs. */
    OF_A_JOB("job_choose_standard", " FOR UPDATE SKIP LOCKED) AS by_", ") AS by_");

    private final String function;
    private final String lock;
    private final String nothing;

    LostLock(String function, String lock, String nothing) {
        this.function = function;
        this.lock = lock;
        this.nothing = nothing;
    }

    Defect defect() {
        return new Defect(function, lock, nothing);
    }
}
