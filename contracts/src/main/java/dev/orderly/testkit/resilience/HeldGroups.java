package dev.orderly.testkit.resilience;

import dev.orderly.ForwardingStore;
import dev.orderly.Store;
import dev.orderly.job.JobView;
import dev.orderly.job.PushResult;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.ForwardingJobs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store in which another transaction locks groups, as an application's may: pushes into them and settles of their
 * jobs are blocked until it ends. Progress reports hang as long as {@link #progress} is locked. Thread-safe.
 */
public final class HeldGroups extends ForwardingStore {
    private final ReentrantLock progress = new ReentrantLock();
    private final JobStore heldJobs;
    private final Set<String> held = ConcurrentHashMap.newKeySet();

    public HeldGroups(Store store) {
        super(store);
        heldJobs = new HeldJobs(store.jobs());
    }

    /** Locks a group of any queue. */
    public void hold(String group) {
        held.add(group);
    }

    public void letGo(String group) {
        held.remove(group);
    }

    /** The lock that makes every report of progress wait. */
    public ReentrantLock progress() {
        return progress;
    }

    @Override
    public JobStore jobs() {
        return heldJobs;
    }

    private final class HeldJobs extends ForwardingJobs {
        HeldJobs(JobStore jobs) {
            super(jobs);
        }

        @Override
        public List<PushResult> push(List<NewJob> pushes, Instant now) {
            BitSet blocked = new BitSet();
            for (int n = 0; n < pushes.size(); n++) {
                String group = pushes.get(n).group();
                blocked.set(n, group != null && held.contains(group));
            }
            if (!blocked.isEmpty()) {
                throw new StoreException.Blocked("Group " + pushes.get(blocked.nextSetBit(0)).group() + " is held",
                        blocked,
                        null);
            }
            return jobs.push(pushes, now);
        }

        @Override
        public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
            List<SettleResult> results = new ArrayList<>();
            for (Settlement one : settlements) {
                boolean blocked = jobViews().find(one.attempt().id()).map(JobView::group).filter(held::contains)
                        .isPresent();
                results.add(blocked ? SettleResult.BLOCKED : jobs.settle(List.of(one), now).getFirst());
            }
            return results;
        }

        @Override
        public List<SettleResult> progress(List<ProgressReport> reports, Instant now) {
            progress.lock();
            try {
                return jobs.progress(reports, now);
            } finally {
                progress.unlock();
            }
        }
    }
}
