package dev.orderly.store.postgres.interleaving;

import dev.orderly.store.postgres.interleaving.PausePoints.Defect;

/** A lock that a function does not take: wrong only in some orders of the statements of several nodes. */
enum LostLock {
    /** Two claims count the free slots of a limit, and both take them. */
    OF_A_LIMIT("limit_lock", " FOR NO KEY UPDATE SKIP LOCKED", "", 1),
    /** Of two claims that count the slots of a key, the later forgets what the earlier took. */
    OF_A_KEY("job_choose_keyed", "ELSE wanted END, 100) FOR NO KEY UPDATE SKIP LOCKED", "ELSE wanted END, 100)", 5),
    /** Two claims choose the same jobs. */
    OF_A_JOB("job_choose_standard", " FOR UPDATE SKIP LOCKED) AS by_", ") AS by_", 1);

    private final String function;
    private final String lock;
    private final String nothing;
    /** The first seed that shows it. */
    final long seed;

    LostLock(String function, String lock, String nothing, long seed) {
        this.function = function;
        this.lock = lock;
        this.nothing = nothing;
        this.seed = seed;
    }

    Defect defect() {
        return new Defect(function, lock, nothing);
    }
}
