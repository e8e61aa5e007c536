package dev.orderly.schedule;

import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;

/** How a run by hand began. */
public sealed interface RunResult {
    /** The job is pushed. */
    record Started(JobId id, QueueName queue) implements RunResult {}

    /** Nothing was pushed: this run, of an instant or by hand, has not ended yet. */
    record UnderWay(JobId id) implements RunResult {}

    /** No schedule of this name is declared on this node. */
    record Unknown(ScheduleName name) implements RunResult {}
}
