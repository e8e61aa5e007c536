package dev.orderly.store.sql;

import dev.orderly.job.JobId;
import dev.orderly.job.search.GroupPage;
import dev.orderly.job.search.GroupPage.Group;
import dev.orderly.job.search.GroupPage.Phase;
import dev.orderly.job.search.GroupQuery;
import dev.orderly.job.search.GroupQuery.Order;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Groups of a FIFO queue, from the indexes of a store: a few seeks a group, and counts that share a bound. */
public final class GroupScan {
    private static final int CANDIDATES = 2 * GroupQuery.LIMIT_MAX;

    private final Index index;
    private final DatabaseJobIds ids;

    /** @param index of one queue, read on one snapshot */
    public GroupScan(Index index, DatabaseJobIds ids) {
        this.index = index;
        this.ids = ids;
    }

    /** The indexes of one queue. */
    public interface Index {
        /** Names of groups from a name on, or after it, in the order of their bytes. */
        List<String> names(String from, boolean inclusive, int most) throws SQLException;

        /** Halted groups, or groups that retry or run, each once; the first or nearest first. */
        List<String> in(Phase phase, int most) throws SQLException;

        /** Groups of the oldest jobs of the store, or of the newest ones, once for each job. */
        List<String> sample(boolean oldest, int jobs) throws SQLException;

        /** The number of unsettled jobs, counted up to a limit. */
        long count(String group, long most) throws SQLException;

        /** The first unsettled job and what holds it; null if the group has neither jobs nor a dead letter. */
        @Nullable
        Head head(String group) throws SQLException;
    }

    /**
     * The state of a group.
     *
     * @param oldest the oldest unsettled job; zero if there is none
     * @param haltedBy the dead letter that halts it; zero if there is none
     * @param running whether a job of it runs
     * @param until moment of the retry of its first job; null if it waits for none
     */
    public record Head(long oldest, long haltedBy, boolean running, @Nullable Instant until) {}

    private record Found(Collection<String> names, boolean complete) {}

    public GroupPage find(GroupQuery query) throws SQLException {
        return query.order() == Order.NAME ? byName(query) : ordered(query, candidates(query));
    }

    private GroupPage byName(GroupQuery query) throws SQLException {
        boolean first = query.after().isEmpty();
        List<String> names = index.names(first ? query.prefix() : query.after(), first, GroupPage.NAMES_MAX);
        List<Group> groups = new ArrayList<>();
        String last = null;
        int looked = 0;
        for (String name : names) {
            if (!name.startsWith(query.prefix())) {
                return new GroupPage(groups, true, looked, null);
            }
            if (groups.size() == query.limit()) {
                return new GroupPage(groups, true, looked, last);
            }
            Head head = index.head(name);
            if (head != null) {
                groups.add(group(name, head, GroupPage.COUNTED_MAX / query.limit()));
            }
            last = name;
            looked++;
        }
        return new GroupPage(groups, true, looked, names.size() == GroupPage.NAMES_MAX ? last : null);
    }

    private Found candidates(GroupQuery query) throws SQLException {
        return switch (query.order()) {
            case HALTED -> phase(query, Phase.HALTED);
            case RETRYING -> phase(query, Phase.RETRYING);
            case RUNNING -> phase(query, Phase.RUNNING);
            case LARGEST, OLDEST, NAME -> {
                List<String> names = matching(query, index.names(query.prefix(), true, GroupPage.NAMES_MAX + 1));
                yield names.size() <= GroupPage.NAMES_MAX ? new Found(names, true) : sampled(query, names);
            }
        };
    }

    private Found phase(GroupQuery query, Phase phase) throws SQLException {
        List<String> names = index.in(phase, GroupPage.NAMES_MAX + 1);
        return new Found(matching(query, names), names.size() <= GroupPage.NAMES_MAX);
    }

    /** Names of a queue with too many groups, completed by those that are known by name. */
    private Found sampled(GroupQuery query, List<String> known) throws SQLException {
        List<String> old = matching(query, index.sample(true, GroupPage.SAMPLE_MAX));
        Set<String> names = new LinkedHashSet<>();
        if (query.order() == Order.OLDEST) {
            old.stream().distinct().limit(CANDIDATES).forEach(names::add);
        } else {
            Map<String, Integer> seen = new HashMap<>();
            old.forEach(name -> seen.merge(name, 1, Integer::sum));
            matching(query, index.sample(false, GroupPage.SAMPLE_MAX)).forEach(name -> seen.merge(name, 1,
                    Integer::sum));
            seen.entrySet().stream().sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                    .limit(CANDIDATES).map(Map.Entry::getKey).forEach(names::add);
        }
        known.stream().limit(Math.max(0, CANDIDATES - names.size())).forEach(names::add);
        return new Found(names, false);
    }

    private static List<String> matching(GroupQuery query, List<String> names) {
        return names.stream().filter(name -> name.startsWith(query.prefix())).toList();
    }

    private GroupPage ordered(GroupQuery query, Found found) throws SQLException {
        long most = GroupPage.COUNTED_MAX / 2 / Math.max(1, found.names.size());
        List<Group> groups = new ArrayList<>();
        for (String name : found.names) {
            Head head = index.head(name);
            if (head != null) {
                groups.add(group(name, head, most));
            }
        }
        groups.removeIf(group -> !query.order().has(group.phase()));
        Comparator<Group> order = order(query.order());
        if (query.order() == Order.LARGEST) {
            groups = recounted(groups, most);
        }
        List<Group> first = groups.stream().sorted(order).limit(query.limit()).toList();
        return new GroupPage(first, found.complete, found.names.size(), null);
    }

    /** Counts groups of which the count has stopped on, as far as the rest of the bound allows. */
    private List<Group> recounted(List<Group> groups, long counted) throws SQLException {
        long open = groups.stream().filter(Group::atLeast).count();
        long most = open == 0 ? 0 : GroupPage.COUNTED_MAX / 2 / open;
        List<Group> all = new ArrayList<>();
        for (Group group : groups) {
            long jobs = group.atLeast() && most > counted ? index.count(group.name(), most) : group.jobs();
            boolean atLeast = group.atLeast() && jobs >= Math.max(most, counted);
            all.add(new Group(group.name(), group.phase(), jobs, atLeast, group.oldest(), group.haltedBy(),
                    group.until()));
        }
        return all;
    }

    /** The order of a page. */
    public static Comparator<Group> order(Order order) {
        Comparator<Group> byName = Comparator.comparing(Group::name);
        Comparator<Group> byOldest = Comparator.comparing(Group::oldest,
                Comparator.nullsLast(Comparator.<JobId>naturalOrder()));
        return switch (order) {
            case LARGEST -> Comparator.comparingLong(Group::jobs).reversed().thenComparing(byName);
            case RETRYING ->
                Comparator.comparing(Group::until, Comparator.nullsLast(Comparator.<Instant>naturalOrder()))
                        .thenComparing(byName);
            case HALTED -> Comparator.comparing(Group::haltedBy,
                    Comparator.nullsLast(Comparator.<JobId>naturalOrder())).thenComparing(byName);
            case OLDEST, RUNNING -> byOldest.thenComparing(byName);
            case NAME -> byName;
        };
    }

    private Group group(String name, Head head, long most) throws SQLException {
        long jobs = head.oldest == 0 ? 0 : index.count(name, most);
        Phase phase = head.haltedBy != 0
                ? Phase.HALTED
                : head.running ? Phase.RUNNING : head.until != null ? Phase.RETRYING : Phase.READY;
        return new Group(name, phase, jobs, jobs == most, head.oldest == 0 ? null : ids.of(head.oldest),
                head.haltedBy == 0 ? null : ids.of(head.haltedBy), phase == Phase.RETRYING ? head.until : null);
    }
}
