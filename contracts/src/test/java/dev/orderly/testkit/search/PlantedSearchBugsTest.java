package dev.orderly.testkit.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.orderly.ForwardingStore;
import dev.orderly.Store;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.search.DeadLetterGroups;
import dev.orderly.job.search.GroupPage;
import dev.orderly.job.search.GroupQuery;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobIdRange;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchPage;
import dev.orderly.job.search.SearchPage.Extent;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.search.JobFinderContract;
import dev.orderly.time.Time;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of search finds each planted bug, and nothing in a store without one. */
class PlantedSearchBugsTest {
    enum Bug {
        NONE,
        IGNORES_THE_USER,
        IGNORES_PARAMS,
        FORGETS_ENDED_JOBS,
        IGNORES_THE_TIME,
        SHOWS_THE_CURSOR_AGAIN,
        CLAIMS_TO_HAVE_SEEN_ALL,
        MIXES_THE_ERRORS,
        COUNTS_ONE_TOO_MANY,
        FORGETS_WHAT_HALTS_A_GROUP,
        SKIPS_A_GROUP_OF_EACH_PAGE
    }

    record Planted(Bug bug, Consumer<JobFinderContract> check) {
        @Override
        public String toString() {
            return bug.name();
        }
    }

    static Stream<Planted> bugs() {
        return Stream.of(
                new Planted(Bug.IGNORES_THE_USER, JobFinderContract::aSearchFindsTheJobsThatMeetAllItsConditions),
                new Planted(Bug.IGNORES_PARAMS, JobFinderContract::aSearchFindsTheJobsThatMeetAllItsConditions),
                new Planted(Bug.FORGETS_ENDED_JOBS, JobFinderContract::aJobIsFoundInEachOfItsStates),
                new Planted(Bug.IGNORES_THE_TIME, JobFinderContract::jobsAreFoundByTheTimeOfTheirPush),
                new Planted(Bug.SHOWS_THE_CURSOR_AGAIN, JobFinderContract::pagesShowEachJobOnceWhileJobsComeAndGo),
                new Planted(Bug.CLAIMS_TO_HAVE_SEEN_ALL, JobFinderContract::pagesShowEachJobOnceWhileJobsComeAndGo),
                new Planted(Bug.MIXES_THE_ERRORS, JobFinderContract::deadLettersAreGroupedByQueueAndError),
                new Planted(Bug.COUNTS_ONE_TOO_MANY,
                        JobFinderContract::aDeadLetterThatIsRedrivenOrCancelledLeavesItsGroup),
                new Planted(Bug.FORGETS_WHAT_HALTS_A_GROUP,
                        JobFinderContract::aGroupSaysWhatItDoesAndWhatItWaitsFor),
                new Planted(Bug.SKIPS_A_GROUP_OF_EACH_PAGE,
                        JobFinderContract::groupsArePagedByNameAndFoundByTheBeginningOfIt));
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void aPlantedBugIsCaught(Planted planted) {
        assertThat(catchThrowable(() -> run(planted.bug, planted.check))).isInstanceOfAny(AssertionError.class,
                RuntimeException.class);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void theSameCheckSucceedsWithoutTheBug(Planted planted) {
        assertThatCode(() -> run(Bug.NONE, planted.check)).doesNotThrowAnyException();
    }

    private static void run(Bug bug, Consumer<JobFinderContract> check) {
        JobFinderContract contract = new JobFinderContract() {
            @Override
            protected Store open(Time clock) {
                return new BuggySearch(new MemoryStore(clock), bug);
            }
        };
        contract.begin();
        try {
            check.accept(contract);
        } finally {
            contract.end();
        }
    }

    private static final class BuggySearch extends ForwardingStore implements JobFinder {
        private final Bug bug;

        BuggySearch(Store store, Bug bug) {
            super(store);
            this.bug = bug;
        }

        @Override
        public JobFinder jobFinder() {
            return this;
        }

        private JobSearch changed(JobSearch search) {
            return switch (bug) {
                case IGNORES_THE_USER -> new JobSearch(search.queue(), search.state(), search.group(), null,
                        search.params(), search.text(), search.error(), search.dedupe(), search.ids());
                case IGNORES_PARAMS -> search.withParams(Map.of());
                case FORGETS_ENDED_JOBS -> search.state() == JobState.DONE
                        ? search.inState(JobState.RUNNING)
                        : search;
                case IGNORES_THE_TIME -> search.withIds(JobIdRange.ALL);
                default -> search;
            };
        }

        @Override
        public SearchPage<JobView> search(JobSearch search, @Nullable JobId before, int limit) {
            return inside().jobFinder().search(changed(search), before, limit);
        }

        @Override
        public SearchPage<JobId> ids(JobSearch search, @Nullable JobId before, int limit) {
            SearchPage<JobId> page = inside().jobFinder().ids(changed(search), before, limit);
            return switch (bug) {
                case SHOWS_THE_CURSOR_AGAIN -> before == null
                        ? page
                        : page.of(Stream.concat(Stream.of(before), page.jobs().stream()).limit(limit).toList());
                case CLAIMS_TO_HAVE_SEEN_ALL ->
                    new SearchPage<>(page.jobs(), Extent.ALL, page.looked(), null, page.access());
                default -> page;
            };
        }

        @Override
        public DeadLetterGroups dead(@Nullable QueueName queue) {
            DeadLetterGroups found = inside().jobFinder()
                    .dead(bug == Bug.MIXES_THE_ERRORS && queue != null ? null : queue);
            return bug == Bug.COUNTS_ONE_TOO_MANY
                    ? new DeadLetterGroups(found.groups().stream()
                            .map(group -> new DeadLetterGroups.Group(group.queue(), group.error(), group.shape(),
                                    group.count() + 1, group.atLeast(), group.first(), group.last()))
                            .toList(), found.complete())
                    : found;
        }

        @Override
        public GroupPage groups(GroupQuery query) {
            GroupPage found = inside().jobFinder().groups(query);
            List<GroupPage.Group> groups = switch (bug) {
                case FORGETS_WHAT_HALTS_A_GROUP -> found.groups().stream()
                        .map(group -> new GroupPage.Group(group.name(), group.phase(), group.jobs(), group.atLeast(),
                                group.oldest(), null, group.until()))
                        .toList();
                case SKIPS_A_GROUP_OF_EACH_PAGE -> found.groups().stream().skip(1).toList();
                default -> found.groups();
            };
            return new GroupPage(groups, found.complete(), found.looked(), found.next());
        }
    }
}
