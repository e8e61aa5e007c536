package dev.orderly.store.sqlite;

import dev.orderly.job.JobStore;
import dev.orderly.store.sqlite.Group.Stand;
import dev.orderly.store.sqlite.JobRow.Place;
import dev.orderly.store.sqlite.JobTable.Lane;
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
final class GroupLine implements Line {
    private static final int CROWD = 64;
    private static final int ROWS = 4_096;
    private static final int BYTES = 4 << 20;
    private static final int RUN_BYTES = 1 << 20;

    private final Identity identity;
    private final JobTable jobs;
    private final GroupNames names;
    private final Map<String, Group> groups = new HashMap<>();
    private final ArrayDeque<Group> ready = new ArrayDeque<>();
    private final PriorityQueue<Hold> holds = new PriorityQueue<>(Comparator.comparingLong(Hold::until));
    private int rows;
    private long bytes;
    private final AtomicInteger halts = new AtomicInteger();

    /** A group is in here once for each time it was held; out of date when the group says otherwise. */
    private record Hold(Group group, long until) {}

    /** Reads the groups that have waiting jobs. */
    @FunctionalInterface
    interface GroupNames {
        Iterable<String> of(int queue) throws SQLException;
    }

    GroupLine(Identity identity, JobTable jobs, GroupNames names) {
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
    public void pushed(JobRow row) {
        Group group = groups.computeIfAbsent((String) row.place().lane(), name -> new Group(name, true));
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
            Group group = ready.removeFirst();
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
    private boolean run(Group group, long now, int most, Taker taker) throws SQLException {
        if (group.peek() == null && !group.complete) {
            read(group, most);
        }
        group.unhold();
        int size = 0;
        for (JobRow row = group.peek(); row != null; row = group.peek()) {
            if (row.readyAt() > now) {
                if (group.running.isEmpty()) {
                    group.hold(row.place());
                }
                break;
            }
            if (group.running.size() == most || size > RUN_BYTES) {
                break;
            }
            Claim claim = taker.take(this, row);
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

    private void read(Group group, int most) throws SQLException {
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
    private void free(Group group) {
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
    private void release(Group group) {
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
    public void held(Claim claim) {
        Group group = stored((String) claim.place.lane());
        claim.mayHaveRun = group.running.isEmpty();
        group.running.add(claim);
    }

    @Override
    public void again(Claim claim, Place place) {
        Group group = settled(claim);
        drop(group);
        group.hold(place);
        promote(group);
        free(group);
    }

    @Override
    public void over(Claim claim, boolean halt) {
        Group group = settled(claim);
        stop(group, halt);
        promote(group);
        free(group);
    }

    @Override
    public void crashed(Claim claim, boolean halt) {
        Group group = settled(claim);
        drop(group);
        stop(group, halt);
        free(group);
    }

    @Override
    public void reread(Place place) {
        Group group = groups.get((String) place.lane());
        if (group != null) {
            drop(group);
        }
    }

    @Override
    public void removed(Place place) {
        Group group = stored((String) place.lane());
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
        Group group = stored((String) place.lane());
        drop(group);
        if (place.seq() < group.heldBy) {
            release(group);
        }
        group.hold(place.stateAt(JobRow.WAITING, 0));
        buried(place);
    }

    @Override
    public void buried(Place place) {
        if (place.state() == JobRow.HALTING) {
            Group group = stored((String) place.lane());
            group.halts--;
            halts.addAndGet(group.halts == 0 ? -1 : 0);
            free(group);
        } else {
            Group group = groups.get((String) place.lane());
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
    private Group stored(String name) {
        return groups.computeIfAbsent(name, key -> new Group(key, false));
    }

    private Group settled(Claim claim) {
        Group group = stored((String) claim.place.lane());
        group.running.remove(claim);
        return group;
    }

    private static void promote(Group group) {
        if (!group.running.isEmpty()) {
            group.running.getFirst().mayHaveRun = true;
        }
    }

    private void stop(Group group, boolean halt) {
        if (halt) {
            halts.addAndGet(group.halts == 0 ? 1 : 0);
            group.halts++;
            drop(group);
        }
    }

    private void keep(Group group, JobRow row) {
        group.keep(row);
        rows++;
        bytes += row.weight();
    }

    private void poll(Group group) {
        bytes -= group.poll().weight();
        rows--;
    }

    /** Forgets what is in memory of a group's jobs: they are read again when it is its turn. */
    private void drop(Group group) {
        while (group.peek() != null) {
            poll(group);
        }
        group.complete = false;
    }
}
