package dev.orderly.testkit.search;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.search.DeadLetterGroups;
import dev.orderly.job.search.DeadLetterGroups.Group;
import dev.orderly.job.search.ErrorFingerprint;
import dev.orderly.job.search.ErrorShape;
import dev.orderly.job.search.GroupPage;
import dev.orderly.job.search.GroupPage.Phase;
import dev.orderly.job.search.GroupQuery;
import dev.orderly.job.search.GroupQuery.Order;
import dev.orderly.job.search.JobCandidate;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchPage;
import dev.orderly.job.search.SearchPage.Access;
import dev.orderly.job.search.SearchPage.Extent;
import dev.orderly.job.store.JobViews;
import dev.orderly.store.sql.GroupScan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Search by a plain filter over the lists of {@link JobViews}. The work grows with the number of jobs. */
public final class PlainJobFinder implements JobFinder {
    private final JobViews views;
    private final Function<DedupeKey, Optional<JobId>> keys;
    private final Predicate<JobId> halts;

    /**
     * @param keys the first job under a dedupe key
     * @param halts whether a job is a dead letter that halts its group
     */
    public PlainJobFinder(JobViews views, Function<DedupeKey, Optional<JobId>> keys, Predicate<JobId> halts) {
        this.views = views;
        this.keys = keys;
        this.halts = halts;
    }

    /** All jobs, newest first. */
    public static List<JobView> all(JobViews views) {
        return views.queues().stream().map(QueueView::queue)
                .flatMap(queue -> Stream.of(JobState.values()).flatMap(state -> list(views, queue, state)))
                .sorted(Comparator.comparing(JobView::id).reversed()).toList();
    }

    private static Stream<JobView> list(JobViews views, QueueName queue, JobState state) {
        List<JobView> all = new ArrayList<>();
        List<JobView> page;
        JobId after = null;
        do {
            page = views.list(queue, state, after, PAGE_MAX);
            all.addAll(page);
            after = page.isEmpty() ? null : page.getLast().id();
        } while (page.size() == PAGE_MAX);
        return all.stream();
    }

    /** The part of a job that a search compares. */
    public static JobCandidate candidate(JobView job) {
        boolean dead = job.state() == JobState.DEAD && job.failure() != null;
        return new JobCandidate(job.id(), job.queue(), job.state(), job.group(), job.user(), job.params(),
                job.failure() == null ? null : job.failure().summary(), dead ? error(job) : null);
    }

    private static ErrorFingerprint error(JobView dead) {
        return dead.failure() == null ? ErrorFingerprint.NONE : ErrorShape.fingerprint(dead.failure());
    }

    @Override
    public SearchPage<JobView> search(JobSearch search, @Nullable JobId before, int limit) {
        JobFinder.checkLimit(limit);
        Optional<JobId> only = search.dedupe() == null ? Optional.empty() : keys.apply(search.dedupe());
        List<JobView> rest = all(views).stream().filter(job -> before == null || job.id().compareTo(before) < 0)
                .filter(job -> search.dedupe() == null || only.equals(Optional.of(job.id()))).toList();
        List<JobView> found = new ArrayList<>();
        Access access = search.dedupe() == null ? Access.NEWEST : Access.DEDUPE;
        for (int n = 0; n < rest.size(); n++) {
            JobView job = rest.get(n);
            if (search.matches(candidate(job))) {
                found.add(job);
            }
            boolean full = found.size() == limit;
            if (n + 1 < rest.size() && (full || n + 1 == LOOKED_MAX)) {
                return new SearchPage<>(found, full ? Extent.PAGE : Extent.BOUND, n + 1, job.id(), access);
            }
        }
        return new SearchPage<>(found, Extent.ALL, rest.size(), null, access);
    }

    @Override
    public SearchPage<JobId> ids(JobSearch search, @Nullable JobId before, int limit) {
        return search(search, before, limit).map(JobView::id);
    }

    @Override
    public DeadLetterGroups dead(@Nullable QueueName queue) {
        Map<String, List<JobView>> groups = new TreeMap<>();
        all(views).stream().filter(job -> job.state() == JobState.DEAD)
                .filter(job -> queue == null || queue.equals(job.queue()))
                .forEach(job -> groups.computeIfAbsent(job.queue() + " " + error(job), _ -> new ArrayList<>())
                        .add(job));
        List<Group> found = groups.values().stream().map(PlainJobFinder::group)
                .sorted(Comparator.comparingLong(Group::count).reversed().thenComparing(Group::shape)
                        .thenComparing(group -> group.queue().value()))
                .limit(DeadLetterGroups.GROUPS_MAX).toList();
        return new DeadLetterGroups(found, groups.size() <= DeadLetterGroups.GROUPS_MAX);
    }

    private static Group group(List<JobView> newestFirst) {
        JobView last = newestFirst.getFirst();
        return new Group(last.queue(), error(last),
                ErrorShape.of(Objects.requireNonNull(last.failure()).summary()).toString(), newestFirst.size(), false,
                newestFirst.getLast(), last);
    }

    @Override
    public GroupPage groups(GroupQuery query) {
        Map<String, List<JobView>> jobs = new TreeMap<>();
        all(views).reversed().stream().filter(job -> job.queue().equals(query.queue()))
                .filter(job -> !job.state().isEnd() || halts.test(job.id()))
                .forEach(job -> jobs.computeIfAbsent(Objects.requireNonNull(job.group()), _ -> new ArrayList<>())
                        .add(job));
        List<GroupPage.Group> found = jobs.entrySet().stream().map(each -> group(each.getKey(), each.getValue()))
                .filter(group -> group.name().startsWith(query.prefix()) && group.name().compareTo(query.after()) > 0)
                .filter(group -> query.order().has(group.phase())).sorted(GroupScan.order(query.order())).toList();
        List<GroupPage.Group> page = found.stream().limit(query.limit()).toList();
        boolean more = query.order() == Order.NAME && page.size() < found.size();
        return new GroupPage(page, true, found.size(), more ? page.getLast().name() : null);
    }

    private GroupPage.Group group(String name, List<JobView> jobs) {
        List<JobView> unsettled = jobs.stream().filter(job -> !job.state().isEnd()).toList();
        Optional<JobId> dead = jobs.stream().map(JobView::id).filter(halts).findFirst();
        JobView first = unsettled.isEmpty() ? null : unsettled.getFirst();
        boolean retrying = first != null && first.state() == JobState.DELAYED;
        Phase phase = dead.isPresent()
                ? Phase.HALTED
                : unsettled.stream().anyMatch(job -> job.state() == JobState.RUNNING)
                        ? Phase.RUNNING
                        : retrying ? Phase.RETRYING : Phase.READY;
        return new GroupPage.Group(name, phase, unsettled.size(), false, first == null ? null : first.id(),
                dead.orElse(null), phase == Phase.RETRYING && first != null ? first.dueAt() : null);
    }
}
