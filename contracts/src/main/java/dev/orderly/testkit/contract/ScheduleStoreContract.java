package dev.orderly.testkit.contract;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.Declared;
import dev.orderly.schedule.PastRun;
import dev.orderly.schedule.PastRun.Outcome;
import dev.orderly.schedule.ScheduleHistory;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.SchedulePause;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.testkit.contract.input.SampleTexts;
import dev.orderly.testkit.contract.job.JobStoreContract;
import dev.orderly.testkit.contract.job.JobTrial;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every sentence of {@link ScheduleStore} as a test. A store is tested by a subclass that opens it, as with
 * {@link JobStoreContract}.
 */
public abstract class ScheduleStoreContract implements DeclarerPart, IntervalPart {
    private static final NodeId FIRST = new NodeId("first");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int RACERS = 8;

    private @Nullable JobTrial trial;

    /**
     * An empty store. Closed by the contract.
     *
     * @param clock decides which nodes are dead
     */
    protected abstract Store open(Time clock);

    /**
     * The store as a new process finds it after the process of {@code killed} was killed: nothing may be flushed or
     * signed off. The contract does not use {@code killed} again.
     */
    protected abstract Store reopen(Store killed);

    @BeforeEach
    void begin() {
        trial = new JobTrial(this::open, this::reopen, Duration.ofSeconds(5));
        trial.begin();
    }

    @AfterEach
    void end() {
        trial().end();
    }

    @Test
    void aScheduleIsDueFromItsFirstDeclarationOn() {
        ScheduleState declared = declare();
        assertThat(declared).isEqualTo(ScheduleState.first(REPORT, HOURLY, now()));
        assertThat(schedules().states()).containsExactly(declared);
    }

    @Test
    void aScheduleDeclaredAgainWithItsTimingKeepsItsState() {
        ScheduleState fired = fire(declare(), 1).orElseThrow();
        trial().pass(HOUR);
        assertThat(declare()).isEqualTo(fired);
        trial().crash();
        assertThat(declare()).isEqualTo(fired);
    }

    @Test
    void aScheduleDeclaredAfterAClockWasFarAheadStartsAnewAndKeepsItsLastJob() {
        ScheduleState fired = fire(declare(), 48).orElseThrow();
        trial().pass(HOUR.multipliedBy(24));
        assertThat(declare()).as("a clock that was set back by a day").isEqualTo(fired);
        ScheduleState ahead = take(fired, new ScheduleStep.Skip(instant(24 * 365))).orElseThrow();
        ScheduleState anew = declare();
        assertThat(anew.reached()).isEqualTo(now());
        assertThat(anew.job()).isEqualTo(fired.job());
        assertThat(take(ahead, new ScheduleStep.Skip(instant(24 * 366)))).as("a step from the state before").isEmpty();
        assertThat(fire(anew, 49)).isPresent();
    }

    @Test
    void aScheduleWithAnotherTimingStartsAnewAndKeepsItsLastJob() {
        ScheduleState fired = fire(declare(), 1).orElseThrow();
        ScheduleState skipped = take(fired, new ScheduleStep.Skip(instant(2))).orElseThrow();
        trial().pass(Duration.ofMinutes(10));
        ScheduleState anew = schedules().declare(REPORT, anew("daily UTC"), now());
        assertThat(anew.timing()).isEqualTo("daily UTC");
        assertThat(anew.reached()).isEqualTo(now());
        assertThat(anew.job()).isEqualTo(fired.job());
        assertThat(anew.fired()).isEqualTo(instant(1));
        assertThat(anew.skipped()).isNull();
        assertThat(fire(skipped, 3)).as("a step from the state before").isEmpty();
        trial().crash();
        assertThat(schedules().states()).containsExactly(anew);
    }

    @Test
    void schedulesThatDifferInCaseAreDifferentAndListedInCodePointOrder() {
        List<ScheduleName> names = Stream.of("report", "REPORT", "Report", "report_", "report-a", "report.a", "reporta")
                .map(ScheduleName::new).toList();
        names.forEach(name -> schedules().declare(name, anew(HOURLY), now()));
        assertThat(schedules().states().stream().map(ScheduleState::name))
                .containsExactlyElementsOf(names.stream().sorted().toList());
    }

    @Test
    void aTimingIsReturnedUnchangedAndDiffersFromSimilarTimings() {
        ScheduleState before = declare();
        for (String timing : SampleTexts.ALIKE) {
            ScheduleState anew = schedules().declare(REPORT, anew(timing), now());
            assertThat(anew.timing()).isEqualTo(timing);
            assertThat(anew.version()).isEqualTo(before.version() + 1);
            assertThat(schedules().states()).containsExactly(anew);
            before = anew;
        }
        trial().crash();
        assertThat(schedules().states()).containsExactly(before);
    }

    @Test
    void anInstantThatFiresPushesItsJobOnce() {
        ScheduleState after = fire(declare(), 1).orElseThrow();
        assertThat(after.reached()).isEqualTo(instant(1));
        assertThat(after.fired()).isEqualTo(instant(1));
        assertThat(trial().node().takeOne(MAIL).id()).isEqualTo(after.job());
        assertThat(schedules().states()).containsExactly(after);
    }

    @Test
    void theJobOfAnInstantIsBehindEarlierJobsOfItsGroup() {
        ScheduleState declared = declare();
        JobId before = trial().push(order("g", "before"));
        JobId fired = job(take(declared, new ScheduleStep.Fire(instant(1), order("g", "report").job())).orElseThrow());
        JobId behind = trial().push(order("g", "behind"));
        assertThat(trial().list(ORDERS, JobState.WAITING)).containsExactly(before, fired, behind);
    }

    @Test
    void aRestartKeepsTheLastInstantTheSkippedInstantAndTheLastJob() {
        ScheduleState fired = fire(declare(), 1).orElseThrow();
        ScheduleState skipped = take(fired, new ScheduleStep.Skip(instant(2))).orElseThrow();
        assertThat(skipped.fired()).isEqualTo(instant(1));
        assertThat(skipped.skipped()).isEqualTo(instant(2));
        assertThat(skipped.reached()).isEqualTo(instant(2));
        assertThat(skipped.job()).isEqualTo(fired.job());
        trial().crash();
        assertThat(schedules().states()).containsExactly(skipped);
        assertThat(fire(skipped, 2)).isEmpty();
        assertThat(fire(skipped, 3)).isPresent();
    }

    @Test
    void afterACrashEachStepExistsWithItsJob() {
        ScheduleState state = declare();
        List<JobId> pushed = new ArrayList<>();
        for (int n = 1; n <= 6; n++) {
            state = fire(state, n).orElseThrow();
            pushed.add(job(state));
            if (n % 2 == 0) {
                trial().crash();
                assertThat(schedules().states()).containsExactly(state);
                assertThat(waiting()).containsExactlyElementsOf(pushed);
            }
        }
    }

    @Test
    void onlyOneOfConcurrentNodesFiresAnInstant() throws InterruptedException {
        ScheduleState state = declare();
        for (int n = 1; n <= 20; n++) {
            ScheduleState seen = state;
            int hour = n;
            List<ScheduleState> winners = race(() -> fire(seen, hour));
            assertThat(winners).as("who fired instant %s", n).hasSize(1);
            state = winners.getFirst();
        }
        assertThat(waiting()).hasSize(20);
    }

    @Test
    void onlyOneOfConcurrentRunsByHandStarts() throws InterruptedException {
        ScheduleState seen = declare();
        assertThat(race(() -> take(seen, new ScheduleStep.Run(mail("by hand").job())))).hasSize(1);
        assertThat(waiting()).hasSize(1);
    }

    @Test
    void aStepFromAnOlderStateHasNoEffect() {
        ScheduleState declared = declare();
        ScheduleState fired = fire(declared, 1).orElseThrow();
        assertThat(fire(declared, 2)).isEmpty();
        assertThat(take(declared, new ScheduleStep.Skip(instant(2)))).isEmpty();
        assertThat(take(declared, new ScheduleStep.Run(mail("late").job()))).isEmpty();
        assertThat(schedules().states()).containsExactly(fired);
        assertThat(waiting()).containsExactly(job(fired));
    }

    @Test
    void aReachedInstantDoesNotFireAgain() {
        ScheduleState fired = fire(declare(), 2).orElseThrow();
        assertThat(fire(fired, 2)).isEmpty();
        assertThat(fire(fired, 1)).isEmpty();
        assertThat(take(fired, new ScheduleStep.Skip(instant(1)))).isEmpty();
        assertThat(waiting()).containsExactly(job(fired));
    }

    @Test
    void aSkippedInstantPushesNothing() {
        ScheduleState skipped = take(declare(), new ScheduleStep.Skip(instant(1))).orElseThrow();
        assertThat(skipped.job()).isNull();
        assertThat(waiting()).isEmpty();
    }

    @Test
    void aRunByHandPushesAndDoesNotAffectTheTiming() {
        ScheduleState fired = fire(declare(), 1).orElseThrow();
        ScheduleState run = take(fired, new ScheduleStep.Run(mail("by hand").job())).orElseThrow();
        assertThat(run.reached()).isEqualTo(fired.reached());
        assertThat(run.fired()).isEqualTo(fired.fired());
        assertThat(waiting()).containsExactly(job(fired), job(run));
        trial().crash();
        assertThat(schedules().states()).containsExactly(run);
    }

    @Test
    void aPausedScheduleTakesNoInstantAndGoesOnAfterTheMomentOfItsResume() {
        SchedulePause pause = new SchedulePause(now(), "token \u00e4nn");
        ScheduleState paused = take(fire(declare(), 1).orElseThrow(), new ScheduleStep.Pause(pause)).orElseThrow();
        assertThat(paused.pause()).isEqualTo(pause);
        assertThat(fire(paused, 2)).isEmpty();
        assertThat(take(paused, new ScheduleStep.Skip(instant(2)))).isEmpty();
        assertThat(take(paused, new ScheduleStep.Pause(pause))).isEmpty();
        trial().crash();
        assertThat(schedules().states()).containsExactly(paused);
        assertThat(declare()).as("declared again").isEqualTo(paused);
        ScheduleState run = take(paused, new ScheduleStep.Run(mail("by hand").job())).orElseThrow();
        assertThat(run.pause()).isEqualTo(pause);
        ScheduleState resumed = take(run, new ScheduleStep.Resume(instant(5))).orElseThrow();
        assertThat(resumed.pause()).isNull();
        assertThat(take(resumed, new ScheduleStep.Resume(instant(6)))).isEmpty();
        assertThat(fire(resumed, 5)).as("an instant of the pause").isEmpty();
        assertThat(fire(resumed, 6)).isPresent();
    }

    @Test
    void aPauseStaysWhenTheScheduleIsDeclaredWithAnotherTiming() {
        SchedulePause pause = new SchedulePause(now(), "eve");
        assertThat(take(declare(), new ScheduleStep.Pause(pause))).isPresent();
        assertThat(schedules().declare(REPORT, anew("daily UTC"), now()).pause()).isEqualTo(pause);
        trial().crash();
        assertThat(schedules().states().getFirst().pause()).isEqualTo(pause);
    }

    @Test
    void theLastRunsAreKeptWithTheirEnds() {
        ScheduleState state = declare();
        for (int n = 1; n <= ScheduleHistory.RUNS_MAX + 2; n++) {
            state = fire(state, n).orElseThrow();
            state = take(state, new ScheduleStep.End(job(state), Outcome.DONE, instant(n).plusMillis(7))).orElseThrow();
        }
        JobId last = job(state);
        state = take(state, new ScheduleStep.Skip(instant(30))).orElseThrow();
        state = take(state, new ScheduleStep.Skip(instant(31))).orElseThrow();
        state = take(state, new ScheduleStep.Run(mail("by hand").job())).orElseThrow();
        List<PastRun> runs = state.history().runs();
        assertThat(runs).hasSize(ScheduleHistory.RUNS_MAX);
        assertThat(runs.get(0)).isEqualTo(new PastRun(null, now(), job(state), Outcome.UNDER_WAY, null, 0));
        assertThat(runs.get(1)).isEqualTo(new PastRun(instant(31), now(), null, Outcome.SKIPPED, null, 2));
        assertThat(runs.get(2)).isEqualTo(new PastRun(instant(ScheduleHistory.RUNS_MAX + 2), now(), last, Outcome.DONE,
                instant(ScheduleHistory.RUNS_MAX + 2).plusMillis(7), 0));
        trial().crash();
        assertThat(schedules().states()).containsExactly(state);
    }

    @Test
    void aDuplicateJobCountsAsTheJobOfItsInstant() {
        JobId first = trial().push(mail("report").dedupe("report 1"));
        ScheduleStep step = new ScheduleStep.Fire(instant(1), mail("report").dedupe("report 1").job());
        assertThat(job(take(declare(), step).orElseThrow())).isEqualTo(first);
        assertThat(waiting()).containsExactly(first);
    }

    @Test
    void anUndeclaredScheduleTakesNoStep() {
        assertThat(fire(ScheduleState.first(REPORT, HOURLY, now()), 1)).isEmpty();
        assertThat(schedules().states()).isEmpty();
        assertThat(waiting()).isEmpty();
    }

    @Test
    void schedulesAreListedByNameAndIndependent() {
        ScheduleState report = fire(declare(), 1).orElseThrow();
        ScheduleState other = schedules().declare(new ScheduleName("backup"), anew(HOURLY), now());
        assertThat(schedules().states()).containsExactly(other, report);
    }

    @Override
    public JobTrial trial() {
        return Objects.requireNonNull(trial, "No test has begun");
    }

    private ScheduleStore schedules() {
        return trial().schedules();
    }

    private Instant now() {
        return trial().now();
    }

    /** A number of hours after noon. */
    private static Instant instant(int hour) {
        return Instant.parse("2026-03-01T12:00:00Z").plus(HOUR.multipliedBy(hour));
    }

    private static Declared<String> anew(String timing) {
        return Declared.anew(timing, FIRST);
    }

    private ScheduleState declare() {
        return schedules().declare(REPORT, anew(HOURLY), now());
    }

    private Optional<ScheduleState> fire(ScheduleState seen, int hour) {
        return take(seen, new ScheduleStep.Fire(instant(hour), mail("report " + hour).job()));
    }

    private Optional<ScheduleState> take(ScheduleState seen, ScheduleStep step) {
        return schedules().take(seen, step, now());
    }

    private static JobId job(ScheduleState state) {
        return Objects.requireNonNull(state.job(), "There is no last job");
    }

    private List<JobId> waiting() {
        return trial().list(MAIL, JobState.WAITING);
    }

    /** The results of the winners of a race of several threads that take the same step. */
    private static List<ScheduleState> race(Supplier<Optional<ScheduleState>> step) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(RACERS);
        List<CompletableFuture<Optional<ScheduleState>>> racers = IntStream.range(0, RACERS)
                .mapToObj(_ -> new CompletableFuture<Optional<ScheduleState>>()).toList();
        for (CompletableFuture<Optional<ScheduleState>> racer : racers) {
            Thread.ofVirtual().start(() -> {
                try {
                    ready.countDown();
                    ready.await();
                    racer.complete(step.get());
                } catch (InterruptedException | RuntimeException e) {
                    racer.completeExceptionally(e);
                }
            });
        }
        ready.await();
        return racers.stream().map(CompletableFuture::join).flatMap(Optional::stream).toList();
    }
}
