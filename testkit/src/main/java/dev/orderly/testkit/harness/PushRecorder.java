package dev.orderly.testkit.harness;

import dev.orderly.ForwardingStore;
import dev.orderly.Store;
import dev.orderly.job.PushResult;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NewJob;
import dev.orderly.testkit.ForwardingJobs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store that lists the accepted pushes. Duplicates and pushes that the inner store refuses are not among them; jobs
 * of schedules are. Keeps every job: for tests only. Thread-safe.
 */
public final class PushRecorder extends ForwardingStore {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<PushedJob> pushed = new ArrayList<>();
    private final JobStore jobs;

    public PushRecorder(Store store) {
        super(store);
        jobs = new RecordedJobs(store.jobs());
    }

    /** The jobs pushed so far, in the order in which the store accepted them. */
    public List<PushedJob> pushed() {
        lock.lock();
        try {
            return List.copyOf(pushed);
        } finally {
            lock.unlock();
        }
    }

    /** Makes the list of pushes empty; the jobs stay. */
    public void forget() {
        lock.lock();
        try {
            pushed.clear();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public JobStore jobs() {
        return jobs;
    }

    private final class RecordedJobs extends ForwardingJobs {
        RecordedJobs(JobStore jobs) {
            super(jobs);
        }

        @Override
        public List<PushResult> push(List<NewJob> pushes, Instant now) {
            lock.lock();
            try {
                List<PushResult> results = super.push(pushes, now);
                for (int n = 0; n < pushes.size(); n++) {
                    if (results.get(n) instanceof PushResult.Accepted accepted) {
                        pushed.add(pushedJob(accepted, pushes.get(n), now));
                    }
                }
                return results;
            } finally {
                lock.unlock();
            }
        }
    }

    private static PushedJob pushedJob(PushResult.Accepted accepted, NewJob job, Instant now) {
        return new RecordedPush(accepted.id(), job.queue(), job.group(), job.payload(), job.params(), job.user(),
                job.priority(), job.runAt(), now, job.dedupe());
    }
}
