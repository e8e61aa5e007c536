package dev.orderly.testkit.contract;

import dev.orderly.job.store.JobStore;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;

/** A memory store with a planted bug in its jobs. */
final class BuggyStore extends BuggedStore {
    private final BuggyJobs jobs;
    private final Bug bug;

    BuggyStore(MemoryStore store, Bug bug, Time clock) {
        this(new BuggyJobs(store, bug, clock), bug);
    }

    private BuggyStore(BuggyJobs jobs, Bug bug) {
        super(jobs.store(), bug);
        this.jobs = jobs;
        this.bug = bug;
    }

    BuggyStore crash() {
        return new BuggyStore(jobs.crash(), bug);
    }

    @Override
    public JobStore jobs() {
        return jobs;
    }
}
