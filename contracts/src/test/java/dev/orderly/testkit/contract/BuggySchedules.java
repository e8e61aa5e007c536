package dev.orderly.testkit.contract;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.NewJob;
import dev.orderly.schedule.ForgetScheduleResult;
import dev.orderly.schedule.PastRun;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.job.JobDraft;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** The schedules of a memory store behind a decorator with a planted bug. */
final class BuggySchedules extends BuggedStore implements ScheduleStore {
    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

    private final ScheduleBug bug;

    BuggySchedules(MemoryStore store, ScheduleBug bug) {
        super(store, bug);
        this.bug = bug;
    }

    BuggySchedules crash() {
        MemoryStore next = store.crash();
        switch (bug) {
            case STARTS_ANEW_AT_A_RESTART -> next.schedules().states().forEach(state -> {
                next.schedules().declare(state.name(), other(), LONG_AGO);
                next.schedules().declare(state.name(), Declared.anew(state.timing(), other().node()), LONG_AGO);
            });
            case FORGETS_JOBS_AT_A_RESTART -> next.jobViews().list(JobDraft.MAIL, JobState.WAITING, null, 100)
                    .forEach(job -> next.jobs().cancel(job.id(), LONG_AGO));
            default -> {
            }
        }
        return new BuggySchedules(next, bug);
    }

    @Override
    public ScheduleState declare(ScheduleName name, Declared<String> declared, Instant now) {
        String timing = declared.value();
        if (bug == ScheduleBug.STARTS_ANEW_AT_EVERY_DECLARATION) {
            store.schedules().declare(name, other(), now);
        }
        String kept = switch (bug) {
            case KEEPS_THE_FIRST_TIMING -> kept(name).map(ScheduleState::timing).orElse(timing);
            case FOLDS_CASE -> timing.toLowerCase(Locale.ROOT);
            default -> timing;
        };
        ScheduleState before = kept(name).orElse(null);
        if (bug == ScheduleBug.FORGETS_A_PAUSE_WITH_A_NEW_TIMING && before != null && before.pause() != null
                && !before.timing().equals(timing)) {
            store.schedules().take(before, new ScheduleStep.Resume(now), now);
        }
        Instant believed = bug == ScheduleBug.WAITS_FOR_A_CLOCK_FAR_AHEAD
                ? kept(name).map(ScheduleState::reached).filter(now::isBefore).orElse(now)
                : now;
        if (bug == ScheduleBug.KEEPS_THE_TIMING_OF_A_DEAD_NODE && before != null && !declared.anew()) {
            return before;
        }
        boolean anew = declared.anew() || bug == ScheduleBug.REPLACES_THE_TIMING_OF_A_LIVE_NODE;
        return store.schedules().declare(name, new Declared<>(kept, declared.node(), anew), believed);
    }

    private static Declared<String> other() {
        return Declared.anew("other", new NodeId("other"));
    }

    @Override
    public void withdraw(NodeId node) {
        if (bug != ScheduleBug.FORGETS_WITHDRAWALS) {
            store.schedules().withdraw(node);
        }
    }

    @Override
    public void withdraw(NodeId node, ScheduleName name) {
        if (bug == ScheduleBug.WITHDRAWS_EVERYTHING) {
            store.schedules().withdraw(node);
        }
        store.schedules().withdraw(node, name);
    }

    @Override
    public ForgetScheduleResult forget(ScheduleName name) {
        JobId job = kept(name).map(ScheduleState::job).orElse(null);
        if (bug == ScheduleBug.FORGETS_DECLARED_SCHEDULES
                && store.schedules().forget(name) instanceof ForgetScheduleResult.StillDeclared(var _, NodeId node)) {
            store.schedules().withdraw(node, name);
        } else if (bug == ScheduleBug.CANCELS_JOBS_OF_FORGOTTEN_SCHEDULES && job != null) {
            store.jobs().cancel(job, LONG_AGO);
        }
        return bug == ScheduleBug.KEEPS_FORGOTTEN_SCHEDULES
                ? new ForgetScheduleResult.Forgotten(name)
                : store.schedules().forget(name);
    }

    @Override
    public List<ScheduleName> undeclared() {
        return store.schedules().undeclared();
    }

    private Optional<ScheduleState> kept(ScheduleName name) {
        return states().stream().filter(state -> state.name().equals(name)).findFirst();
    }

    @Override
    public Optional<ScheduleState> take(ScheduleState seen, ScheduleStep step, Instant now) {
        ScheduleState believed = bug == ScheduleBug.ACCEPTS_EVERY_SEEN_STATE ? kept(seen.name()).orElse(seen) : seen;
        if (bug == ScheduleBug.FIRES_WHILE_PAUSED && step instanceof ScheduleStep.Fire && believed.pause() != null) {
            believed = store.schedules().take(believed, new ScheduleStep.Resume(seen.reached()), now).orElse(believed);
        }
        if (bug == ScheduleBug.STARTS_BEFORE_THE_END && step.job() != null && believed.awaitsEnd()) {
            ScheduleStep end = new ScheduleStep.End(Objects.requireNonNull(believed.job()), PastRun.Outcome.DONE,
                    believed.reached());
            believed = store.schedules().take(believed, end, now).orElse(believed);
        }
        NewJob job = step.job();
        if (bug == ScheduleBug.PUSHES_BEFORE_THE_CHECK && job != null && kept(seen.name()).isPresent()
                && !kept(seen.name()).orElseThrow().allows(seen, step)) {
            store.jobs().push(List.of(job), now);
        }
        return store.schedules().take(believed, distorted(seen, step), now);
    }

    private ScheduleStep distorted(ScheduleState seen, ScheduleStep step) {
        Instant later = seen.reached().plusSeconds(1);
        return switch (step) {
            case ScheduleStep.Fire fire when bug == ScheduleBug.FIRES_REACHED_INSTANTS
                    && !fire.instant().isAfter(seen.reached()) ->
                new ScheduleStep.Fire(later, fire.job());
            case ScheduleStep.Skip skip when bug == ScheduleBug.SKIPS_WITH_A_JOB ->
                new ScheduleStep.Fire(skip.instant(), JobDraft.mail("skipped").job());
            case ScheduleStep.Run run when bug == ScheduleBug.MOVES_ON_BY_HAND ->
                new ScheduleStep.Fire(later, run.job());
            case ScheduleStep.Resume _ when bug == ScheduleBug.CATCHES_UP_AFTER_A_PAUSE ->
                new ScheduleStep.Resume(seen.reached());
            case ScheduleStep.End end -> distorted(seen, end);
            case ScheduleStep other -> other;
        };
    }

    private ScheduleStep distorted(ScheduleState seen, ScheduleStep.End end) {
        return switch (bug) {
            case FORGETS_ENDS -> new ScheduleStep.End(end.run(), end.outcome(), null);
            case COUNTS_FROM_THE_INSTANT -> new ScheduleStep.End(end.run(), end.outcome(), seen.reached());
            case COUNTS_EVERY_TIMING_FROM_THE_END -> new ScheduleStep.Skip(Objects.requireNonNull(end.at()));
            default -> end;
        };
    }

    @Override
    public List<ScheduleState> states() {
        return store.schedules().states();
    }

    @Override
    public ScheduleStore schedules() {
        return this;
    }
}
