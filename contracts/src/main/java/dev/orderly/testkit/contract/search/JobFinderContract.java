package dev.orderly.testkit.contract.search;

import static dev.orderly.testkit.contract.search.SearchTrial.MAIL;
import static dev.orderly.testkit.contract.search.SearchTrial.NEWS;
import static dev.orderly.testkit.contract.search.SearchTrial.ORDERS;
import static dev.orderly.testkit.contract.search.SearchTrial.dedupe;
import static dev.orderly.testkit.contract.search.SearchTrial.died;
import static dev.orderly.testkit.contract.search.SearchTrial.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Store;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.search.DeadLetterGroups.Group;
import dev.orderly.job.search.ErrorShape;
import dev.orderly.job.search.GroupPage;
import dev.orderly.job.search.GroupPage.Phase;
import dev.orderly.job.search.GroupQuery;
import dev.orderly.job.search.GroupQuery.Order;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobIdRange;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchPage;
import dev.orderly.job.search.SearchPage.Access;
import dev.orderly.job.search.SearchPage.Extent;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.search.PlainJobFinder;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every sentence of {@link JobFinder} as a test. A store is tested by a subclass that opens it. */
public abstract class JobFinderContract {
    private @Nullable SearchTrial trial;

    /** An empty store. Closed by the contract. */
    protected abstract Store open(Time clock);

    @BeforeEach
    public void begin() {
        ManualTime time = new ManualTime();
        trial = new SearchTrial(open(time), time);
    }

    @AfterEach
    public void end() {
        trial().store().close();
    }

    private SearchTrial trial() {
        return Objects.requireNonNull(trial, "No test has begun");
    }

    @Test
    public void aSearchFindsTheJobsThatMeetAllItsConditions() {
        JobId plain = trial().push(job(MAIL));
        JobId ann = trial().push(SearchTrial.from(job(MAIL), new UserId("ann"), Map.of("order", "7", "shop", "x")));
        JobId bob = trial().push(SearchTrial.from(job(ORDERS, "g"), new UserId("bob"), Map.of("order", "7")));
        assertThat(trial().found(JobSearch.ALL)).containsExactly(bob, ann, plain);
        assertThat(trial().found(JobSearch.ALL.inQueue(MAIL))).containsExactly(ann, plain);
        assertThat(trial().found(JobSearch.ALL.inQueue(NEWS))).isEmpty();
        assertThat(trial().found(JobSearch.ALL.ofUser(new UserId("ann")))).containsExactly(ann);
        assertThat(trial().found(JobSearch.ALL.inQueue(ORDERS).inGroup("g"))).containsExactly(bob);
        assertThat(trial().found(JobSearch.ALL.inQueue(ORDERS).inGroup("h"))).isEmpty();
        assertThat(trial().found(JobSearch.ALL.withParams(Map.of("order", "7")))).containsExactly(bob, ann);
        assertThat(trial().found(JobSearch.ALL.withParams(Map.of("order", "7", "shop", "x")))).containsExactly(ann);
        assertThat(trial().found(JobSearch.ALL.withParams(Map.of("order", "8")))).isEmpty();
        assertThat(trial().found(JobSearch.ALL.ofUser(new UserId("ann")).inState(JobState.DONE))).isEmpty();
    }

    @Test
    public void aJobIsFoundInEachOfItsStates() {
        trial().push(SearchTrial.later(job(MAIL), Priority.LOW, null));
        JobId delayed = trial().push(SearchTrial.later(job(MAIL), Priority.NORMAL,
                trial().now().plus(Duration.ofHours(1))));
        ClaimedJob running = trial().claim(MAIL, 1).getFirst();
        JobId dead = trial().dead(job(MAIL), "It broke");
        JobId cancelled = trial().push(job(MAIL));
        trial().store().jobs().cancel(cancelled, trial().now());
        JobId done = trial().push(job(MAIL));
        trial().settle(trial().claim(MAIL, 1).getFirst(), new AttemptOutcome.Done(null));
        JobId waiting = trial().push(job(MAIL));
        for (JobSearch of : List.of(JobSearch.ALL, JobSearch.ALL.inQueue(MAIL))) {
            assertThat(trial().found(of.inState(JobState.WAITING))).containsExactly(waiting);
            assertThat(trial().found(of.inState(JobState.DELAYED))).containsExactly(delayed);
            assertThat(trial().found(of.inState(JobState.RUNNING))).containsExactly(running.id());
            assertThat(trial().found(of.inState(JobState.DEAD))).containsExactly(dead);
            assertThat(trial().found(of.inState(JobState.DONE))).containsExactly(done);
            assertThat(trial().found(of.inState(JobState.CANCELLED))).containsExactly(cancelled);
        }
    }

    @Test
    public void aJobIsFoundByItsIdAndByTheBeginningOfIt() {
        List<JobId> ids = trial().pushMany(MAIL, 3);
        JobId wanted = ids.get(1);
        assertThat(trial().finder().ids(JobSearch.ALL.withIds(JobIdRange.of(wanted)), null, 10))
                .satisfies(page -> assertThat(page.jobs()).containsExactly(wanted))
                .satisfies(page -> assertThat(page.access()).isIn(Access.ID, Access.NEWEST))
                .satisfies(page -> assertThat(page.extent()).isEqualTo(Extent.ALL));
        for (int length = 1; length <= 36; length++) {
            String prefix = wanted.toString().substring(0, length);
            assertThat(trial().found(JobSearch.ALL.withIds(JobIdRange.startingWith(prefix)))).as(prefix)
                    .containsExactlyElementsOf(
                            ids.reversed().stream().filter(id -> id.toString().startsWith(prefix)).toList());
        }
    }

    @Test
    public void jobsAreFoundByTheTimeOfTheirPush() {
        JobId early = trial().push(job(MAIL));
        trial().time().advance(Duration.ofHours(1));
        Instant middle = trial().now();
        JobId late = trial().push(job(NEWS));
        assertThat(trial().found(JobSearch.ALL.withIds(JobIdRange.ALL.before(middle)))).containsExactly(early);
        assertThat(trial().found(JobSearch.ALL.withIds(JobIdRange.ALL.from(middle)))).containsExactly(late);
        assertThat(trial().found(JobSearch.ALL.inQueue(MAIL).withIds(JobIdRange.ALL.from(middle)))).isEmpty();
        assertThat(trial().found(JobSearch.ALL
                .withIds(JobIdRange.ALL.from(middle).before(middle.plus(Duration.ofHours(1)))))).containsExactly(late);
    }

    @Test
    public void aDedupeKeyFindsTheJobOfWhichAPushWouldBeADuplicate() {
        JobId first = trial().push(dedupe(job(ORDERS, "g"), "order-7"));
        trial().push(dedupe(job(ORDERS, "h"), "order-7"));
        JobSearch search = JobSearch.ALL.withDedupe(DedupeKey.ofId(ORDERS, "g", "order-7"));
        assertThat(trial().found(search)).containsExactly(first);
        assertThat(trial().finder().ids(search, null, 1).access()).isEqualTo(Access.DEDUPE);
        assertThat(trial().found(search.inQueue(MAIL))).isEmpty();
        assertThat(trial().found(JobSearch.ALL.withDedupe(DedupeKey.ofId(ORDERS, "g", "order-8")))).isEmpty();
        trial().settle(trial().claim(ORDERS, 1).getFirst(), new AttemptOutcome.Done(null));
        trial().time().advance(JobStore.DEDUPE_WINDOW.minusMinutes(1));
        assertThat(trial().found(search)).containsExactly(first);
    }

    @Test
    public void theTextOfTheErrorAndAWholeUserOrGroupAreFoundInAnyCase() {
        JobId smtp = trial().dead(job(MAIL), "SmtpException: mailbox full");
        trial().dead(job(MAIL), "Timed out");
        JobId retried = trial().push(job(NEWS));
        trial().settle(trial().claim(NEWS, 1).getFirst(),
                SearchTrial.retry(trial().now().plusSeconds(60), "The Mailbox is busy"));
        assertThat(trial().found(JobSearch.ALL.mentioning("MAILBOX"))).containsExactly(retried, smtp);
        assertThat(trial().found(JobSearch.ALL.inQueue(MAIL).mentioning("mailbox full"))).containsExactly(smtp);
        assertThat(trial().found(JobSearch.ALL.inState(JobState.DEAD).mentioning("mailbox%"))).isEmpty();
        JobId ann = trial().push(SearchTrial.from(job(ORDERS, "Group-7"), new UserId("Ann"), Map.of()));
        assertThat(trial().found(JobSearch.ALL.mentioning("ann"))).containsExactly(ann);
        assertThat(trial().found(JobSearch.ALL.inQueue(ORDERS).mentioning("group-7"))).containsExactly(ann);
        assertThat(trial().found(JobSearch.ALL.mentioning("group-"))).isEmpty();
    }

    @Test
    public void pagesShowEachJobOnceWhileJobsComeAndGo() {
        List<JobId> ids = new ArrayList<>(trial().pushMany(MAIL, 25));
        JobFinder finder = trial().finder();
        SearchPage<JobId> first = finder.ids(JobSearch.ALL.inQueue(MAIL), null, 10);
        assertThat(first.jobs()).isEqualTo(ids.reversed().subList(0, 10));
        assertThat(first.extent()).isEqualTo(Extent.PAGE);
        trial().pushMany(MAIL, 5);
        trial().claim(MAIL, 4).forEach(claimed -> trial().settle(claimed, new AttemptOutcome.Done(null)));
        trial().store().jobs().cancel(Objects.requireNonNull(first.next()), trial().now());
        SearchPage<JobId> second = finder.ids(JobSearch.ALL.inQueue(MAIL), first.next(), 10);
        assertThat(second.jobs()).isEqualTo(ids.reversed().subList(10, 20));
        SearchPage<JobId> third = finder.ids(JobSearch.ALL.inQueue(MAIL), second.next(), 10);
        assertThat(third.jobs()).isEqualTo(ids.reversed().subList(20, 25));
        assertThat(third.extent()).isEqualTo(Extent.ALL);
        assertThat(third.next()).isNull();
        assertThatThrownBy(() -> finder.ids(JobSearch.ALL, null, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> finder.ids(JobSearch.ALL, null, JobFinder.PAGE_MAX + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    public void aSearchThatLooksAtTooManyJobsSaysSoAndGoesOn() {
        JobId wanted = trial().push(SearchTrial.from(job(MAIL), new UserId("ann"), Map.of()));
        trial().pushMany(MAIL, JobFinder.LOOKED_MAX + 50);
        for (JobSearch search : List.of(JobSearch.ALL.ofUser(new UserId("ann")),
                JobSearch.ALL.inQueue(MAIL).ofUser(new UserId("ann")))) {
            SearchPage<JobView> first = trial().finder().search(search, null, 10);
            assertThat(first.jobs()).isEmpty();
            assertThat(first.extent()).isEqualTo(Extent.BOUND);
            assertThat(first.looked()).isEqualTo(JobFinder.LOOKED_MAX);
            SearchPage<JobView> rest = trial().finder().search(search, first.next(), 10);
            assertThat(rest.jobs()).extracting(JobView::id).containsExactly(wanted);
            assertThat(rest.extent()).isEqualTo(Extent.ALL);
            assertThat(rest.looked()).isLessThanOrEqualTo(51);
        }
    }

    @Test
    public void aSmallQueueIsFoundAtOnceBesideALargeOne() {
        JobId dead = trial().dead(job(NEWS), "Broke");
        JobId wanted = trial().push(job(NEWS));
        JobId order = trial().push(job(ORDERS, "g"));
        trial().pushMany(MAIL, JobFinder.LOOKED_MAX + 50);
        assertFoundInOnePage(JobSearch.ALL.inQueue(NEWS), wanted, dead);
        assertFoundInOnePage(JobSearch.ALL.inQueue(ORDERS), order);
        assertFoundInOnePage(JobSearch.ALL.inQueue(ORDERS).inGroup("g"), order);
        assertFoundInOnePage(JobSearch.ALL.inState(JobState.DEAD), dead);
        assertFoundInOnePage(JobSearch.ALL.deadBy(ErrorShape.of("Broke").fingerprint()), dead);
    }

    /** The memory store has no indexes; the durable ones find these jobs without a look at the others. */
    private void assertFoundInOnePage(JobSearch search, JobId... ids) {
        assertThat(trial().found(search, 100)).containsExactlyInAnyOrder(ids);
        SearchPage<JobId> page = trial().finder().ids(search, null, 100);
        if (page.access() != Access.NEWEST) {
            assertThat(page.jobs()).containsExactlyInAnyOrder(ids);
            assertThat(page.extent()).isEqualTo(Extent.ALL);
        }
    }

    @Test
    public void deadLettersAreGroupedByQueueAndError() {
        JobId first = trial().dead(job(MAIL), "No mailbox 17 for \"ann\"");
        trial().dead(job(MAIL), "Timed out");
        JobId last = trial().dead(job(MAIL), "No mailbox 4711 for \"bob\"");
        trial().dead(job(NEWS), "Timed out");
        List<Group> groups = trial().finder().dead(MAIL).groups();
        assertThat(groups).extracting(Group::shape).containsExactly("No mailbox <n> for <text>", "Timed out");
        Group group = groups.getFirst();
        assertThat(group.count()).isEqualTo(2);
        assertThat(group.atLeast()).isFalse();
        assertThat(group.first().id()).isEqualTo(first);
        assertThat(group.last().id()).isEqualTo(last);
        assertThat(trial().finder().dead(null).groups()).hasSize(3);
        assertThat(trial().finder().dead(null).complete()).isTrue();
        assertThat(trial().found(JobSearch.ALL.inQueue(MAIL).deadBy(group.error()))).containsExactly(last, first);
        assertThat(trial().found(JobSearch.ALL.deadBy(ErrorShape.of("Timed out").fingerprint()))).hasSize(2);
    }

    @Test
    public void aDeadLetterThatIsRedrivenOrCancelledLeavesItsGroup() {
        JobId redriven = trial().dead(job(MAIL), "Broke");
        JobId cancelled = trial().dead(job(MAIL), "Broke");
        JobId stays = trial().dead(job(MAIL), "Broke");
        trial().store().jobs().redrive(MAIL, List.of(redriven), 10, trial().now());
        trial().store().jobs().cancel(cancelled, trial().now());
        assertThat(trial().finder().dead(MAIL).groups()).hasSize(1)
                .allSatisfy(group -> assertThat(group.count()).isEqualTo(1))
                .allSatisfy(group -> assertThat(group.last().id()).isEqualTo(stays));
        trial().settle(trial().claim(MAIL, 1).getFirst(), died("Something else", false));
        assertThat(trial().finder().dead(MAIL).groups()).extracting(Group::shape).containsExactly("Broke",
                "Something else");
    }

    @Test
    public void aGroupSaysWhatItDoesAndWhatItWaitsFor() {
        JobId ready = trial().push(job(ORDERS, "ready"));
        trial().pushAll(List.of(job(ORDERS, "ready"), job(ORDERS, "ready")));
        trial().store().jobs().pause(ORDERS, true);
        assertThat(groups(Order.NAME)).containsExactly(
                new GroupPage.Group("ready", Phase.READY, 3, false, ready, null, null));
        trial().store().jobs().pause(ORDERS, false);
        trial().claim(ORDERS, 1);
        assertThat(groups(Order.RUNNING)).containsExactly(
                new GroupPage.Group("ready", Phase.RUNNING, 3, false, ready, null, null));
        JobId retried = trial().push(job(ORDERS, "later"));
        Instant until = trial().now().plusSeconds(60);
        trial().settle(trial().claim(ORDERS, 1).getFirst(), SearchTrial.retry(until, "Broke"));
        assertThat(groups(Order.RETRYING)).containsExactly(
                new GroupPage.Group("later", Phase.RETRYING, 1, false, retried, null, until));
        JobId dead = trial().push(job(ORDERS, "stuck"));
        JobId behind = trial().push(job(ORDERS, "stuck"));
        List<ClaimedJob> stuck = trial().claim(ORDERS, 1);
        trial().settle(stuck.getFirst(), died("Broke", true));
        stuck.stream().skip(1).forEach(job -> trial().settle(job, new AttemptOutcome.GiveBack()));
        assertThat(groups(Order.HALTED)).containsExactly(
                new GroupPage.Group("stuck", Phase.HALTED, 1, false, behind, dead, null));
        assertThat(groups(Order.OLDEST)).extracting(GroupPage.Group::name).containsExactly("ready", "later", "stuck");
        assertThat(groups(Order.LARGEST)).extracting(GroupPage.Group::name).containsExactly("ready", "later", "stuck");
        assertThat(groups(Order.NAME)).extracting(GroupPage.Group::name).containsExactly("later", "ready", "stuck");
        trial().store().jobs().cancel(dead, trial().now());
        assertThat(groups(Order.HALTED)).isEmpty();
        assertThat(trial().finder().groups(new GroupQuery(new QueueName("none.fifo"), Order.NAME, 5)).groups())
                .isEmpty();
    }

    private List<GroupPage.Group> groups(Order order) {
        return trial().finder().groups(new GroupQuery(ORDERS, order, GroupQuery.LIMIT_MAX)).groups();
    }

    @Test
    public void groupsArePagedByNameAndFoundByTheBeginningOfIt() {
        List<String> names = IntStream.range(0, 25).mapToObj(n -> "g" + (char) ('a' + n)).toList();
        trial().pushAll(names.stream().map(name -> job(ORDERS, name)).toList());
        trial().push(job(ORDERS, "other"));
        List<String> seen = new ArrayList<>();
        String after = "";
        do {
            GroupPage page = trial().finder().groups(new GroupQuery(ORDERS, Order.NAME, "g", after, 10));
            page.groups().forEach(group -> seen.add(group.name()));
            after = page.next();
        } while (after != null);
        assertThat(seen).isEqualTo(names);
        assertThat(trial().finder().groups(new GroupQuery(ORDERS, Order.OLDEST, "gb", "", 10)).groups())
                .extracting(GroupPage.Group::name).containsExactly("gb");
    }

    @Test
    public void inAQueueOfManyGroupsTheLargestAndOldestAreFoundAndTheAnswerSaysWhetherItSawAll() {
        JobId oldest = trial().push(job(ORDERS, "zz-first"));
        for (int part = 0; part < 3; part++) {
            int from = part * 600;
            trial().pushAll(IntStream.range(from, from + 600).mapToObj(n -> job(ORDERS, "g" + n)).toList());
            trial().pushAll(IntStream.range(0, 300).mapToObj(_ -> job(ORDERS, "zz-large")).toList());
        }
        GroupPage largest = trial().finder().groups(new GroupQuery(ORDERS, Order.LARGEST, 3));
        assertThat(largest.groups().getFirst().name()).isEqualTo("zz-large");
        assertThat(largest.groups().getFirst().jobs()).isEqualTo(900);
        GroupPage first = trial().finder().groups(new GroupQuery(ORDERS, Order.OLDEST, 1));
        assertThat(first.groups()).extracting(GroupPage.Group::oldest).containsExactly(oldest);
        assertThat(first.complete()).isEqualTo(largest.complete()).isEqualTo(first.looked() > GroupPage.NAMES_MAX);
        assertThatThrownBy(() -> new GroupQuery(MAIL, Order.NAME, 5)).hasMessageContaining("has no groups");
    }

    @Test
    public void randomSearchesFindWhatAPlainFilterFinds() {
        LongStream.rangeClosed(1, 3).forEach(this::randomSearches);
    }

    /** A halted group says so itself; the views of jobs do not. */
    private boolean halts(JobId id) {
        return groups(Order.HALTED).stream().anyMatch(group -> id.equals(group.haltedBy()));
    }

    private void randomSearches(long seed) {
        end();
        begin();
        Random random = new Random(seed);
        RandomJobs jobs = new RandomJobs(trial(), random);
        for (int round = 0; round < 12; round++) {
            jobs.change();
            List<JobView> all = PlainJobFinder.all(trial().store().jobViews());
            for (int n = 0; n < 8; n++) {
                JobSearch search = jobs.search(all);
                List<JobId> expected = all.stream().filter(job -> search.matches(PlainJobFinder.candidate(job)))
                        .map(JobView::id).toList();
                assertThat(trial().found(search, 1 + random.nextInt(40))).as("%s", search).isEqualTo(expected);
            }
            for (Order order : Order.values()) {
                assertThat(groups(order)).as("%s", order)
                        .isEqualTo(new PlainJobFinder(trial().store().jobViews(), _ -> Optional.empty(), this::halts)
                                .groups(new GroupQuery(ORDERS, order, GroupQuery.LIMIT_MAX)).groups());
            }
            assertThat(trial().finder().dead(null).groups().stream().mapToLong(Group::count).sum())
                    .isEqualTo(all.stream().filter(job -> job.state() == JobState.DEAD).count());
        }
        assertThat(Stream.of(JobState.values())).allSatisfy(
                state -> assertThat(trial().found(JobSearch.ALL.inState(state))).as("%s", state).isNotEmpty());
    }
}
