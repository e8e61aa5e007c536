package dev.orderly.store.postgres.interleaving;

import dev.orderly.store.postgres.interleaving.PausePoints.Defect;

/** A lock that a function does not take: wrong only in some orders of the statements of several nodes. */
enum LostLock {
    /** Two claims count the free slots of a limit, and both take them. */
    OF_A_LIMIT("limit_lock", " FOR NO KEY UPDATE SKIP LOCKED", "", 1),
    /** Of two claims that count the slots of a key, the later forgets what the earlier took. */
    OF_A_KEY("job_choose_keyed", "LIMIT least(wanted, 100) FOR NO KEY UPDATE SKIP LOCKED", "LIMIT least(wanted, 100)",
            5),
    /** The end of a job of a group overlooks a job that is pushed into the group meanwhile. */
    OF_A_SETTLED_GROUP("job_settle_grouped", " FOR UPDATE OF lane", "", 14);

    final Defect defect;
    /** The first seed that shows it. */
    final long seed;

    LostLock(String function, String lock, String nothing, long seed) {
        this.defect = new Defect(function, lock, nothing);
        this.seed = seed;
    }
}
