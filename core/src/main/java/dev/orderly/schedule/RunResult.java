package dev.orderly.schedule;

import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;

/** The outcome of a request to run a schedule by hand. */
public sealed interface RunResult {
    /** The job was pushed. */
    record Started(JobId id, QueueName queue) implements RunResult {}

    /** Nothing was pushed: this job of the schedule, of an instant or by hand, has not ended yet. */
    record UnderWay(JobId id) implements RunResult {}

    /** No schedule of this name is declared on this node. */
    record Unknown(ScheduleName name) implements RunResult {}
}
