package dev.orderly.job.engine;

import dev.orderly.job.JobId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.user.UserId;

/** The consequences of runs for the rest of a node. Calls come from the threads of runs and must not throw. */
interface RunListener {
    /** The handler of a job is about to be called. Must not block. */
    void started(RunningJob job);

    /** A handler sends a message to the user of its job. */
    void message(UserId user, Object value);

    /** The handler of a job has returned or thrown. May wait for the store. */
    void returned(RunningJob job);

    /** The store has taken the ending of an attempt. Must not block. */
    void settled(DeclaredQueue queue, JobId job, AttemptOutcome ending);
}
