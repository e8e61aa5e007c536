package dev.orderly.testkit.contract.job;

import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.NodeId;
import java.time.Instant;
import java.util.Deque;

/** The jobs that one handler of a node holds in a random run: a single job, or some jobs of one group. */
record GroupRun(Member member, Deque<Held> jobs) {
    /** A node of the run, in both stores. */
    static final class Member {
        final NodeId id;
        Instant lastBeat = Instant.MIN;
        boolean dead;

        Member(NodeId id) {
            this.id = id;
        }
    }

    /** A job by its number in push order, with its attempt in each store. */
    record Held(int number, AttemptId subject, AttemptId model) {}
}
