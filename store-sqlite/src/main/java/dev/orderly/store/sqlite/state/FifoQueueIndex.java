package dev.orderly.store.sqlite.state;

import dev.orderly.job.Limit;
import dev.orderly.job.limit.GroupRates;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.StartWindow;
import dev.orderly.store.sqlite.state.GroupState.Phase;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.KeyRows;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Index of a FIFO queue: groups take turns, and each belongs to one node at a time. Only groups with jobs are in
 * memory, with the first jobs that the {@link GroupReader} has buffered.
 */
public final class FifoQueueIndex implements QueueIndex {
    private static final int MANY_GROUPS = 64;
    private static final int RUN_BYTES = 1 << 20;

    private final Identity identity;
    private final GroupReader reader;
    private final GroupNames names;
    private final KeyRows tokens;
    private final Supplier<@Nullable Limit> limitOfGroups;
    private final LongSupplier storeTime;
    private final GroupRates rates = new GroupRates();
    private final Map<String, GroupState> groups = new HashMap<>();
    private final ArrayDeque<GroupState> ready = new ArrayDeque<>();
    private final PriorityQueue<Delay> delays = new PriorityQueue<>(Comparator.comparingLong(Delay::until));
    private final AtomicInteger halts = new AtomicInteger();

    /** A delay of a group. Stale unless the group still has this {@code delayedUntil}. */
    private record Delay(GroupState group, long until) {}

    /** Reads the groups that have waiting jobs. */
    @FunctionalInterface
    interface GroupNames {
        Iterable<String> of(int queue) throws SQLException;
    }

    /**
     * @param limitOfGroups the limit of each group in force; null for none
     * @param storeTime the present by the store's clock, in Unix milliseconds
     */
    FifoQueueIndex(Identity identity, JobTable jobs, GroupNames names, Supplier<@Nullable Limit> limitOfGroups,
            LongSupplier storeTime) {
        this.identity = identity;
        this.reader = new GroupReader(identity.id, jobs);
        this.names = names;
        this.tokens = jobs.keys;
        this.limitOfGroups = limitOfGroups;
        this.storeTime = storeTime;
    }

    @Override
    public Identity identity() {
        return identity;
    }

    @Override
    public void restore() throws SQLException {
        limit();
        tokens.windows(identity.id).forEach(rates::restore);
        for (String name : names.of(identity.id)) {
            schedule(stored(name));
        }
    }

    @Override
    public void set(String name, KeySettings settings) {
        identity.set(name, settings);
        GroupState group = groups.get(name);
        if (group != null && (group.phase == Phase.READY ? ready.remove(group) : group.phase == Phase.PAUSED)) {
            group.phase = Phase.INACTIVE;
            schedule(group);
        }
    }

    @Override
    public int resting() {
        return rates.isBounding()
                ? (int) delays.stream().map(Delay::group).filter(GroupState::rests).distinct().limit(KeyCounts.MOST)
                        .count()
                : 0;
    }

    /** Puts the limit of each group in force. Groups that rest are looked at again. */
    private void limit() {
        Limit each = limitOfGroups.get();
        if (!Objects.equals(each, rates.limit())) {
            rates.limit(each);
            List.copyOf(groups.values()).stream().filter(GroupState::rests).forEach(this::release);
        }
    }

    /** The starts of its groups. */
    public GroupRates rates() {
        return rates;
    }

    @Override
    public StartWindow window(String group) {
        return rates.window(group);
    }

    @Override
    public @Nullable Limit limitOf(String group) {
        return rates.limit();
    }

    /** Number of jobs of a group that run. */
    public int running(String name) {
        GroupState group = groups.get(name);
        return group == null ? 0 : group.running();
    }

    private boolean isPaused(String group) {
        KeySettings settings = identity.settings.get(group);
        return settings != null && settings.paused();
    }

    @Override
    public void pushed(StoredJob row) {
        GroupState group = groups.computeIfAbsent((String) row.place().lane(), name -> new GroupState(name, true));
        if (group.isEmpty()) {
            group.startsAfter = row.seq() - 1;
            group.readThrough = group.startsAfter;
        }
        reader.pushed(group, row);
        schedule(group);
    }

    @Override
    public boolean mayHandOff(StoredJob row, long now) {
        endDelays(now);
        String group = (String) row.place().lane();
        return ready.isEmpty() && !groups.containsKey(group) && !isPaused(group) && limitOfGroups.get() == null;
    }

    @Override
    public void handedOff(LockedJob locked) {
        GroupState group = groups.computeIfAbsent((String) locked.place.lane(), name -> new GroupState(name, true));
        locked.mayHaveRun = true;
        group.startsAfter = locked.seq() - 1;
        group.readThrough = locked.seq();
        group.started(locked);
    }

    /**
     * With few ready groups, a claim takes several jobs of each, which saves claims. With many, it takes one job of
     * each: this is nearly push order, in which neighbours share pages, so that settlements write fewer pages.
     */
    @Override
    public void take(int limit, long now, Taker taker) throws SQLException {
        limit();
        endDelays(now);
        List<GroupState> passed = new ArrayList<>();
        try {
            take(limit, now, taker, passed);
        } finally {
            passed.reversed().forEach(ready::addFirst);
        }
    }

    private void take(int limit, long now, Taker taker, List<GroupState> passed) throws SQLException {
        boolean many = ready.size() > MANY_GROUPS;
        int run = many || rates.isBounding() ? 1 : taker.run();
        for (int taken = 0; taken < limit && !ready.isEmpty() && !taker.isFull();) {
            if (many && GroupReader.isUnread(ready.getFirst())) {
                reader.readAhead(groups::get);
            }
            GroupState group = ready.removeFirst();
            if (rests(group, now, run)) {
                continue;
            }
            if (passesOver(group, run, taker)) {
                passed.add(group); // stays ready
                continue;
            }
            group.phase = Phase.INACTIVE;
            try {
                StoredJob first = group.peek();
                if (run(group, now, run, taker)) {
                    taken++;
                    if (first != null && rates.took(group.name, first.terms().cost(), storeTime.getAsLong())) {
                        taker.tookToken(this, group.name);
                    }
                }
            } finally {
                schedule(group);
                if (taker.isFull() && group.phase == Phase.READY && ready.removeLastOccurrence(group)) {
                    ready.addFirst(group); // the group has not had its turn
                }
            }
        }
    }

    /** Lets a group rest whose rate lets no job start now. */
    private boolean rests(GroupState group, long now, int most) throws SQLException {
        if (!rates.isBounding()) {
            return false;
        }
        if (GroupReader.isUnread(group)) {
            reader.read(group, most);
        }
        StoredJob first = group.peek();
        if (first == null) {
            return false; // no job of it waits
        }
        long present = storeTime.getAsLong();
        long next = rates.next(group.name, first.terms().cost(), present);
        if (next > present) {
            reader.drop(group); // the buffer is for groups that go on
            group.restUntil(now + next - present);
            group.phase = Phase.INACTIVE;
            schedule(group);
        }
        return next > present;
    }

    private boolean passesOver(GroupState group, int most, Taker taker) throws SQLException {
        if (!taker.passesOverAny()) {
            return false;
        }
        if (GroupReader.isUnread(group)) {
            reader.read(group, most);
        }
        StoredJob first = group.peek();
        return first != null && taker.passesOver(first.seq());
    }

    /** Hands out the first jobs of a group, up to a job that is not due. */
    private boolean run(GroupState group, long now, int most, Taker taker) throws SQLException {
        if (GroupReader.isUnread(group)) {
            reader.read(group, most);
        }
        group.clearDelay();
        int size = 0;
        for (StoredJob row = group.peek(); row != null; row = group.peek()) {
            if (row.readyAt() > now) {
                if (!group.isRunning()) {
                    group.delay(row.place());
                }
                break;
            }
            if (group.running() == most || size > RUN_BYTES || taker.passesOver(row.seq())) {
                break;
            }
            LockedJob locked = taker.take(this, row);
            if (locked == null) {
                break;
            }
            if (!group.isRunning()) {
                locked.mayHaveRun = true;
                group.startsAfter = row.seq() - 1;
            }
            group.started(locked);
            size += row.payload().size();
            reader.poll(group);
        }
        return group.isRunning();
    }

    /** Schedules a group, unless its jobs run or it is halted. */
    private void schedule(GroupState group) {
        if (group.phase == Phase.PAUSED) {
            group.phase = Phase.INACTIVE;
        }
        if (group.phase != Phase.INACTIVE || group.isRunning() || group.halts() > 0) {
            return;
        }
        if (group.isEmpty()) {
            groups.remove(group.name);
        } else if (group.delayedUntil() != 0) {
            group.phase = Phase.DELAYED;
            delays.add(new Delay(group, group.delayedUntil()));
        } else if (isPaused(group.name)) {
            group.phase = Phase.PAUSED;
            reader.drop(group); // the buffer is for groups that go on
            group.rest();
        } else {
            group.phase = Phase.READY;
            group.rest();
            ready.addLast(group);
        }
    }

    private void endDelays(long now) {
        for (Delay first = delays.peek(); first != null && first.until <= now; first = delays.peek()) {
            delays.remove();
            if (first.group.phase == Phase.DELAYED && first.group.delayedUntil() == first.until) {
                release(first.group);
            }
        }
    }

    /** Ends the delay of a group. */
    private void release(GroupState group) {
        group.clearDelay();
        if (group.phase == Phase.DELAYED) {
            group.phase = Phase.INACTIVE;
            schedule(group);
        }
    }

    @Override
    public long nextDue(long now) {
        Delay first = delays.peek();
        return first == null || first.until <= now ? Long.MAX_VALUE : first.until;
    }

    @Override
    public void restored(LockedJob locked) {
        GroupState group = stored((String) locked.place.lane());
        locked.mayHaveRun = !group.isRunning();
        group.started(locked);
        group.passed = Math.max(group.passed, locked.seq());
    }

    @Override
    public void requeued(LockedJob locked, Place place) {
        GroupState group = settled(locked);
        reader.drop(group);
        if (group.isKnown() || place.readyAt() == 0) { // else an earlier job may wait in the file: the next claim looks
            group.delay(place);
        }
        group.promote();
        schedule(group);
    }

    @Override
    public void ended(LockedJob locked, boolean halt) {
        GroupState group = settled(locked);
        stop(group, halt);
        group.promote();
        schedule(group);
    }

    @Override
    public void crashed(LockedJob locked, boolean halt) {
        GroupState group = settled(locked);
        reader.drop(group);
        stop(group, halt);
        schedule(group);
    }

    @Override
    public void reread(Place place) {
        GroupState group = groups.get((String) place.lane());
        if (group != null) {
            reader.drop(group);
        }
    }

    @Override
    public void dueNow(Place from) {
        removed(from); // drops the buffered rows and ends the delay
    }

    @Override
    public void removed(Place place) {
        GroupState group = stored((String) place.lane());
        reader.drop(group);
        if (group.delayedBy() == place.seq()) {
            release(group);
        }
        schedule(group);
    }

    @Override
    public void halted(Place place) {
        stop(stored((String) place.lane()), true);
    }

    @Override
    public void redriven(Place place) {
        GroupState group = stored((String) place.lane());
        group.startsAfter = Math.min(group.startsAfter, place.seq() - 1);
        reader.drop(group);
        if (group.rests() || place.seq() < group.delayedBy()) {
            release(group);
        }
        group.delay(place.stateAt(StoredJob.WAITING, 0));
        deadRemoved(place);
    }

    @Override
    public void deadRemoved(Place place) {
        if (place.state() == StoredJob.HALTING) {
            GroupState group = stored((String) place.lane());
            group.changeHalts(-1);
            halts.addAndGet(group.halts() == 0 ? -1 : 0);
            schedule(group);
        } else {
            GroupState group = groups.get((String) place.lane());
            if (group != null) {
                schedule(group);
            }
        }
    }

    @Override
    public int halts() {
        return halts.get();
    }

    @Override
    public int buffered() {
        return reader.rows();
    }

    /** The state of a group; a new state is marked as incomplete, since stored jobs may not be in memory. */
    private GroupState stored(String name) {
        return groups.computeIfAbsent(name, reader::unread);
    }

    private GroupState settled(LockedJob locked) {
        GroupState group = stored((String) locked.place.lane());
        group.settled(locked);
        return group;
    }

    private void stop(GroupState group, boolean halt) {
        if (halt) {
            halts.addAndGet(group.halts() == 0 ? 1 : 0);
            group.changeHalts(1);
            reader.drop(group);
        }
    }
}
