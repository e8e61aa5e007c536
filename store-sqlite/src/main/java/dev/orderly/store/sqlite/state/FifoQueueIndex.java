package dev.orderly.store.sqlite.state;

import dev.orderly.job.store.JobStore;
import dev.orderly.store.sqlite.state.GroupState.Stand;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.JobTable.Lane;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A FIFO queue: groups by turns, one node at a time in each. Only groups that have jobs are in memory, with a few jobs
 * of the whole queue; heads are read by a seek that costs the same however deep or blocked a group is.
 */
public final class FifoQueueIndex implements QueueIndex {
    private static final int CROWD = 64;
    private static final int ROWS = 4_096;
    private static final int BYTES = 4 << 20;
    private static final int RUN_BYTES = 1 << 20;

    private final Identity identity;
    private final JobTable jobs;
    private final GroupNames names;
    private final Map<String, GroupState> groups = new HashMap<>();
    private final ArrayDeque<GroupState> ready = new ArrayDeque<>();
    private final PriorityQueue<Hold> holds = new PriorityQueue<>(Comparator.comparingLong(Hold::until));
    private int rows;
    private long bytes;
    private final AtomicInteger halts = new AtomicInteger();

    /** A group is in here once for each time it was held; out of date when the group says otherwise. */
    private record Hold(GroupState group, long until) {}

    /** Reads the groups that have waiting jobs. */
    @FunctionalInterface
    interface GroupNames {
        Iterable<String> of(int queue) throws SQLException;
    }

    FifoQueueIndex(Identity identity, JobTable jobs, GroupNames names) {
        this.identity = identity;
        this.jobs = jobs;
        this.names = names;
    }

    @Override
    public Identity identity() {
        return identity;
    }

    @Override
    public void restore() throws SQLException {
        for (String name : names.of(identity.id)) {
            free(stored(name));
        }
    }

    @Override
    public void pushed(StoredJob row) {
        GroupState group = groups.computeIfAbsent((String) row.place().lane(), name -> new GroupState(name, true));
        if (group.complete && rows < ROWS && bytes < BYTES) {
            keep(group, row);
        } else {
            group.complete = false;
        }
        free(group);
    }

    /**
     * A few groups give runs, which saves claims. Of a crowd each gives one job: that is nearly the order of pushes, in
     * which neighbours share pages, so that settling them writes few.
     */
    @Override
    public void take(int lines, long now, Taker taker) throws SQLException {
        letGo(now);
        int run = ready.size() > CROWD ? 1 : JobStore.GROUP_RUN;
        for (int taken = 0; taken < lines && !ready.isEmpty() && !taker.isFull();) {
            GroupState group = ready.removeFirst();
            group.stand = Stand.APART;
            try {
                taken += run(group, now, run, taker) ? 1 : 0;
            } finally {
                free(group);
                if (taker.isFull() && group.stand == Stand.READY && ready.removeLastOccurrence(group)) {
                    ready.addFirst(group); // it had no turn
                }
            }
        }
    }

    /** Hands out the first jobs of a group, up to one that is not due. */
    private boolean run(GroupState group, long now, int most, Taker taker) throws SQLException {
        if (group.peek() == null && !group.complete) {
            read(group, most);
        }
        group.unhold();
        int size = 0;
        for (StoredJob row = group.peek(); row != null; row = group.peek()) {
            if (row.readyAt() > now) {
                if (group.running.isEmpty()) {
                    group.hold(row.place());
                }
                break;
            }
            if (group.running.size() == most || size > RUN_BYTES) {
                break;
            }
            LockedJob claim = taker.take(this, row);
            if (claim == null) {
                break;
            }
            claim.mayHaveRun = group.running.isEmpty();
            group.running.add(claim);
            size += row.payload().size();
            poll(group);
        }
        return !group.running.isEmpty();
    }

    private void read(GroupState group, int most) throws SQLException {
        int[] read = {0};
        group.complete = true;
        jobs.waiting(new Lane(identity.id, group.name), 0, seq -> true, row -> {
            if (read[0]++ == most) {
                group.complete = false;
                return false;
            }
            keep(group, row);
            return true;
        });
    }

    /** Puts a group where it belongs when nothing of it runs. */
    private void free(GroupState group) {
        if (group.stand != Stand.APART || !group.running.isEmpty() || group.halts > 0) {
            return;
        }
        if (group.isEmpty()) {
            groups.remove(group.name);
        } else if (group.heldUntil != 0) {
            group.stand = Stand.HELD;
            holds.add(new Hold(group, group.heldUntil));
        } else {
            group.stand = Stand.READY;
            ready.addLast(group);
        }
    }

    private void letGo(long now) {
        for (Hold first = holds.peek(); first != null && first.until <= now; first = holds.peek()) {
            holds.remove();
            if (first.group.stand == Stand.HELD && first.group.heldUntil == first.until) {
                release(first.group);
            }
        }
    }

    /** Lets a group go on, whatever held its head. */
    private void release(GroupState group) {
        group.unhold();
        if (group.stand == Stand.HELD) {
            group.stand = Stand.APART;
            free(group);
        }
    }

    @Override
    public long nextDue(long now) {
        Hold first = holds.peek();
        return first == null || first.until <= now ? Long.MAX_VALUE : first.until;
    }

    @Override
    public void held(LockedJob claim) {
        GroupState group = stored((String) claim.place.lane());
        claim.mayHaveRun = group.running.isEmpty();
        group.running.add(claim);
    }

    @Override
    public void again(LockedJob claim, Place place) {
        GroupState group = settled(claim);
        drop(group);
        group.hold(place);
        promote(group);
        free(group);
    }

    @Override
    public void over(LockedJob claim, boolean halt) {
        GroupState group = settled(claim);
        stop(group, halt);
        promote(group);
        free(group);
    }

    @Override
    public void crashed(LockedJob claim, boolean halt) {
        GroupState group = settled(claim);
        drop(group);
        stop(group, halt);
        free(group);
    }

    @Override
    public void reread(Place place) {
        GroupState group = groups.get((String) place.lane());
        if (group != null) {
            drop(group);
        }
    }

    @Override
    public void removed(Place place) {
        GroupState group = stored((String) place.lane());
        drop(group);
        if (group.heldBy == place.seq()) {
            release(group);
        }
        free(group);
    }

    @Override
    public void halted(Place place) {
        stop(stored((String) place.lane()), true);
    }

    @Override
    public void redriven(Place place) {
        GroupState group = stored((String) place.lane());
        drop(group);
        if (place.seq() < group.heldBy) {
            release(group);
        }
        group.hold(place.stateAt(StoredJob.WAITING, 0));
        buried(place);
    }

    @Override
    public void buried(Place place) {
        if (place.state() == StoredJob.HALTING) {
            GroupState group = stored((String) place.lane());
            group.halts--;
            halts.addAndGet(group.halts == 0 ? -1 : 0);
            free(group);
        } else {
            GroupState group = groups.get((String) place.lane());
            if (group != null) {
                free(group);
            }
        }
    }

    @Override
    public int halts() {
        return halts.get();
    }

    @Override
    public int buffered() {
        return rows;
    }

    /** A group of which not all jobs are known to be in memory. */
    private GroupState stored(String name) {
        return groups.computeIfAbsent(name, key -> new GroupState(key, false));
    }

    private GroupState settled(LockedJob claim) {
        GroupState group = stored((String) claim.place.lane());
        group.running.remove(claim);
        return group;
    }

    private static void promote(GroupState group) {
        if (!group.running.isEmpty()) {
            group.running.getFirst().mayHaveRun = true;
        }
    }

    private void stop(GroupState group, boolean halt) {
        if (halt) {
            halts.addAndGet(group.halts == 0 ? 1 : 0);
            group.halts++;
            drop(group);
        }
    }

    private void keep(GroupState group, StoredJob row) {
        group.keep(row);
        rows++;
        bytes += row.weight();
    }

    private void poll(GroupState group) {
        bytes -= group.poll().weight();
        rows--;
    }

    /** Forgets what is in memory of a group's jobs: they are read again when it is its turn. */
    private void drop(GroupState group) {
        while (group.peek() != null) {
            poll(group);
        }
        group.complete = false;
    }
}
