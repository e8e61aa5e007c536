package dev.orderly.job.engine;

import dev.orderly.job.JobId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.user.UserId;

/** Listener for events of runs. Called on the threads of runs; must not throw, except for {@link #message}. */
interface RunListener {
    /** The handler of a job is about to be called. Must not block. */
    void started(RunningJob job);

    /** A handler sends a message to the user of its job. Throws as {@link UserMessages#send}. */
    void message(UserId user, Object value);

    /** The handler of a job has returned or thrown. May wait for the store. */
    void returned(RunningJob job);

    /** The store has accepted the outcome of an attempt. Must not block. */
    void settled(DeclaredQueue queue, JobId job, AttemptOutcome outcome);
}
