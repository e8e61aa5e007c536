package dev.orderly.testkit.contract;

import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.limit.LimitTable;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StartWindow;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The bugs of limits: a store that knows no limit, with wrong limits around its claims. */
final class LimitBugs {
    private static final int ALONE_MILLIS = 50;

    private static final Set<Bug> ALL = EnumSet.of(Bug.COUNTS_SLOTS_BEFORE_THE_LOCK, Bug.RETURNS_TOKENS_ON_GIVE_BACK,
            Bug.COUNTS_NO_LEASED_JOBS, Bug.FORGETS_TOKENS_IN_A_CRASH, Bug.HANDS_OFF_DESPITE_A_LIMIT,
            Bug.COUNTS_RATES_BY_FIXED_WINDOWS, Bug.COUNTS_SLOTS_BY_QUEUE);

    private final Bug bug;
    private final MemoryStore store;
    private final Time clock;
    private final LimitTable limits = new LimitTable();
    private final Set<NodeId> alive = ConcurrentHashMap.newKeySet();
    private final Map<QueueName, long[]> windows = new HashMap<>();
    private final Exchanger<Bug> counted = new Exchanger<>();

    LimitBugs(MemoryStore store, Bug bug, Time clock) {
        this.store = store;
        this.bug = bug;
        this.clock = clock;
    }

    boolean isOne() {
        return ALL.contains(bug);
    }

    /** What the process after a death knows. */
    void crashed(LimitBugs before) {
        if (bug != Bug.FORGETS_TOKENS_IN_A_CRASH) {
            limits.restore(before.limits);
        } else {
            before.limits.views(_ -> 0, 0).forEach(view -> {
                limits.restore(new LimitTable.Row(view.name(), view.limit(), StartWindow.EMPTY));
                view.queues().forEach(queue -> limits.restore(queue, view.name()));
            });
        }
    }

    void beat(NodeId node) {
        alive.add(node);
    }

    /** The request without the limits, which this keeps. */
    UpkeepRequest upkeep(UpkeepRequest request) {
        limits.apply(limits.changes(request.limits(), alive::contains));
        return new UpkeepRequest(request.deadAfter(), request.crashLimit(), request.onDead(), request.keep(),
                request.limit(), request.leases());
    }

    ClaimedJobs claim(JobStore jobs, ClaimRequest request, Instant now) {
        if (bug != Bug.COUNTS_SLOTS_BEFORE_THE_LOCK) {
            synchronized (limits) {
                return claimEach(jobs, request, now);
            }
        }
        return claimEach(jobs, request, now);
    }

    private ClaimedJobs claimEach(JobStore jobs, ClaimRequest request, Instant now) {
        List<ClaimedJob> claimed = new ArrayList<>();
        Set<QueueName> limited = new HashSet<>();
        for (Demand demand : request.wants()) {
            int room = room(demand.queue());
            meet();
            int most = Math.min(room, demand.limit());
            ClaimedJobs got = most == 0
                    ? new ClaimedJobs(List.of(), null, Set.of())
                    : jobs.claim(new ClaimRequest(request.node(), List.of(new Demand(demand.queue(), most, 1))), now);
            limits.took(demand.queue(), got.jobs().size(), clock.now().toEpochMilli());
            windows.computeIfPresent(demand.queue(), (_, window) -> new long[]{window[0],
                    window[1] + got.jobs().size()});
            claimed.addAll(got.jobs());
            if (most < demand.limit() && got.jobs().size() == most) {
                limited.add(demand.queue());
            }
        }
        return new ClaimedJobs(claimed, null, Set.of(), limited);
    }

    /** Waits until another claim has counted too, before this one takes what it has counted; alone it soon goes on. */
    private void meet() {
        if (bug != Bug.COUNTS_SLOTS_BEFORE_THE_LOCK) {
            return;
        }
        try {
            counted.exchange(bug, ALONE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            return; // no other claim runs
        } catch (InterruptedException e) {
            throw new IllegalStateException("A claim was interrupted", e);
        }
    }

    private int room(QueueName queue) {
        if (bug == Bug.COUNTS_RATES_BY_FIXED_WINDOWS) {
            return limits.of(queue).map(name -> limits.row(name).limit()).map(limit -> {
                long period = clock.now().toEpochMilli() / Math.max(1, limit.period().toMillis());
                long[] window = windows.computeIfAbsent(queue, _ -> new long[]{period, 0});
                long[] current = window[0] == period ? window : new long[]{period, 0};
                windows.put(queue, current);
                return limit.starts() - (int) current[1];
            }).orElse(Integer.MAX_VALUE);
        }
        return limits.room(queue, other -> running(queue, other), clock.now().toEpochMilli()).jobs();
    }

    private int running(QueueName asked, QueueName queue) {
        QueueView view = store.jobViews().queues().stream().filter(each -> each.queue().equals(queue)).findFirst()
                .orElse(null);
        if (view == null || (bug == Bug.COUNTS_SLOTS_BY_QUEUE && !asked.equals(queue))) {
            return 0;
        }
        return (int) (bug == Bug.COUNTS_NO_LEASED_JOBS ? view.running() - view.leased() : view.running());
    }

    /** Notes accepted settlements. */
    void settled(Settlement settlement) {
        if (bug == Bug.RETURNS_TOKENS_ON_GIVE_BACK && settlement.outcome() instanceof AttemptOutcome.GiveBack) {
            synchronized (limits) {
                limits.took(settlement.attempt().queue(), -1, clock.now().toEpochMilli());
            }
        }
    }
}
