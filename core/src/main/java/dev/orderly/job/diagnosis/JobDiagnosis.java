package dev.orderly.job.diagnosis;

import dev.orderly.job.JobId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What keeps a job from running, at one moment and as one node sees it. */
public interface JobDiagnosis {
    /** The reasons why a job does not start. */
    enum Cause {
        /** No such job is kept. */
        NOT_FOUND,
        /** The job ended well. */
        DONE,
        /** The job was cancelled. */
        CANCELLED,
        /** The job is a dead letter. */
        DEAD,
        /** A handler works on the job. */
        RUNNING,
        /** A node holds the job and has not called a handler yet. */
        CLAIMED,
        /** A worker elsewhere works on the job. */
        LEASED,
        /** A failed attempt is followed by another one, later. */
        RETRY,
        /** The push, or the handler, put the job off. */
        DELAYED,
        /** The handler awaits an event from outside. */
        AWAITING,
        /** No node that tried the payload of the job, or of the first job of its group, could read it. */
        UNREADABLE,
        /** The queue is paused. */
        PAUSED,
        /** No node is known to work on the queue. */
        NO_HANDLER,
        /** Workers elsewhere pull the queue, and none has claimed the job. */
        NO_WORKER,
        /** As many jobs of the queue run at workers elsewhere as its bound allows. */
        LEASES_FULL,
        /** The limit of the queue over all nodes lets no further job start now. */
        LIMITED,
        /** An operator has paused the job's key or group. */
        KEY_PAUSED,
        /** The limit of the job's key or group over all nodes lets no further job of it start now. */
        KEY_LIMITED,
        /** An open transaction of an application holds the job's group. */
        GROUP_HELD,
        /** A dead letter halts the job's group. */
        GROUP_HALTED,
        /** The first job of the group waits for its next attempt. */
        GROUP_RETRY,
        /** An earlier job of the group runs. */
        GROUP_RUNNING,
        /** Earlier jobs of the group wait too. */
        GROUP_WAITING,
        /** The node has not started its handlers yet. */
        NODE_STARTING,
        /** The node stops and starts no further jobs. */
        NODE_STOPPING,
        /** The store does not answer. */
        STORE,
        /** Waiting jobs of a higher priority go first. */
        PRIORITY,
        /** All handlers of the queue are busy. */
        HANDLERS_BUSY,
        /** The payloads of running jobs take as many bytes as the node may hold. */
        PAYLOAD_BYTES,
        /** Earlier jobs go first. */
        QUEUED,
        /** Nothing keeps the job: the next claim takes it. */
        READY
    }

    /** The job. */
    JobId job();

    /** The reason. */
    Cause cause();

    /** A sentence for people that names the job's queue, what it waits for, and the numbers. */
    String sentence();

    /** What an operator may do; empty if there is nothing to do. */
    String remedy();

    /** The job of the same group that must end first; null for none. */
    @Nullable
    JobId blocker();

    /** Waiting jobs before this one, counted up to {@code JobViews.AHEAD_MAX}; null if that does not matter. */
    @Nullable
    Integer ahead();

    /** The moment at which the job ended, is due, or began to run; null if that does not matter. */
    @Nullable
    Instant at();
}
