package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StepReport;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.contract.input.NthCall;
import dev.orderly.testkit.contract.input.NthCall.Fault;
import dev.orderly.testkit.resilience.InterceptedStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Every call may fail, and be repeated. A life of some jobs, with every operation, is led again and again: once
 * untouched, then with its first call failing, its second, and so on to the last, before the work and after it. Each
 * failed call is repeated as the engine repeats it, and each life must end as the untouched one.
 */
public interface NthCallPart extends JobPart {
    /** How each life ends. */
    Map<String, JobState> EXPECTED = Map.of("a", JobState.DONE, "b", JobState.CANCELLED, "c", JobState.DONE, "d",
            JobState.DEAD, "e", JobState.CANCELLED, "f", JobState.DONE);

    /**
     * Leads the life on a store that fails by itself.
     *
     * @return how a store tells its end: {@link #EXPECTED}
     */
    static Function<Store, Object> led(JobTrial trial) {
        Life life = new Life(trial, NthCall.ofStore(), "led");
        life.lead();
        return store -> life.states(store.jobViews());
    }

    @Test
    default void whicheverCallFailsARepetitionEndsAsIfNoneHadFailed() {
        NthCall untouched = new NthCall(0, Fault.BEFORE);
        Life whole = new Life(trial(), untouched, "untouched");
        whole.lead();
        trial().eventually(() -> assertThat(whole.states()).isEqualTo(EXPECTED));
        for (Fault fault : Fault.values()) {
            for (int call = 1; call <= untouched.calls(); call++) {
                NthCall failing = new NthCall(call, fault);
                Life life = new Life(trial(), failing, fault.name().charAt(0) + "-" + call);
                life.lead();
                trial().eventually(() -> assertThat(life.states()).as(failing::toString).isEqualTo(EXPECTED));
            }
        }
    }

    /** The life of some jobs on two queues of its own. */
    final class Life {
        private final JobTrial trial;
        private final NthCall fault;
        private final JobStore jobs;
        private final JobViews views;
        private final QueueName mails;
        private final QueueName orders;
        private final TestNode node;
        private final Map<JobId, String> names = new HashMap<>();

        private Life(JobTrial trial, NthCall fault, String name) {
            InterceptedStore store = trial.intercepted();
            fault.in(store);
            this.trial = trial;
            this.fault = fault;
            this.jobs = store.jobs();
            this.views = store.jobViews();
            this.mails = new QueueName("nth-" + name);
            this.orders = new QueueName("nth-" + name + ".fifo");
            this.node = trial.node();
        }

        private void lead() {
            fault.begin();
            push(to(orders, "g", "a"), to(orders, "g", "b"), to(orders, "g", "c"));
            push(to(mails, null, "d"));
            push(to(orders, "g", "f"));
            beat();
            pause(true);
            assertThat(claim(orders)).as("of a paused queue").isEmpty();
            pause(false);
            ClaimedJob first = claim(orders).getFirst();
            progress(first);
            settle(first, new AttemptOutcome.Dead(TestNode.FAILURE, true));
            release();
            assertThat(claim(orders)).as("of a halted group").isEmpty();
            sure(() -> jobs.redriveAll(orders, 10, trial.now()));
            ClaimedJob redriven = claim(orders).getFirst();
            assertThat(redriven.id()).as("the redriven job comes first").isEqualTo(first.id());
            settle(redriven, new AttemptOutcome.Done(null));
            release();
            ClaimedJob second = claim(orders).getFirst();
            sure(() -> jobs.cancel(second.id(), trial.now()));
            settle(second, new AttemptOutcome.GiveBack());
            leave();
            beat();
            claim(orders).forEach(job -> settle(job, new AttemptOutcome.Done(null)));
            ClaimedJob mail = claim(mails).getFirst();
            keep(mail);
            awaitEvent(mail);
            settle(mail, new AttemptOutcome.Retry(trial.now(), TestNode.FAILURE));
            trial.pass(Duration.ofSeconds(1));
            ClaimedJob again = claim(mails).getFirst();
            settle(again, new AttemptOutcome.Dead(TestNode.FAILURE, false));
            JobId waiting = push(to(mails, null, "e")).getFirst().id();
            sure(() -> jobs.cancel(waiting, trial.now()));
            trial.upkeep();
        }

        private Map<String, JobState> states() {
            return states(views);
        }

        private Map<String, JobState> states(JobViews views) {
            Map<String, JobState> states = new TreeMap<>();
            for (QueueName queue : List.of(mails, orders)) {
                for (JobState state : JobState.values()) {
                    sure(() -> views.list(queue, state, null, 100))
                            .forEach(job -> states.put(names.getOrDefault(job.id(), "of no push: " + job.id()), state));
                }
            }
            return states;
        }

        /** Repeats a call until it is answered. */
        private <T> T sure(Supplier<T> call) {
            return fault.sure(call);
        }

        private void sureOf(Runnable call) {
            sure(() -> {
                call.run();
                return true;
            });
        }

        private List<PushResult> push(JobDraft... drafts) {
            List<JobDraft> keyed = List.of(drafts).stream().map(draft -> draft.idempotency(
                    draft.job().queue() + draft.job().payload().asText(), "same")).toList();
            List<PushResult> results = sure(() -> jobs.push(keyed.stream().map(JobDraft::job).toList(), trial.now()));
            for (int n = 0; n < drafts.length; n++) {
                names.put(results.get(n).id(), drafts[n].job().payload().asText());
            }
            return results;
        }

        private void beat() {
            sure(() -> jobs.beat(node.id(), Set.of(mails, orders)));
        }

        private void pause(boolean paused) {
            sureOf(() -> jobs.pause(orders, paused));
        }

        /** After a lost answer the jobs that the node does not know of are given back first. */
        private List<ClaimedJob> claim(QueueName queue) {
            boolean unsure = false;
            while (true) {
                try {
                    if (unsure) {
                        release();
                    }
                    return jobs.claim(new ClaimRequest(node.id(), List.of(new ClaimRequest.Demand(queue, 1))),
                            trial.now()).jobs();
                } catch (StoreException.Unavailable | StoreException.OutcomeUnknown e) {
                    unsure = true;
                    fault.noted(e);
                }
            }
        }

        private void release() {
            sure(() -> jobs.release(node.id(), Set.of(), trial.now()));
        }

        private void leave() {
            sure(() -> jobs.leave(node.id(), trial.now()));
        }

        private void progress(ClaimedJob job) {
            sure(() -> jobs.progress(List.of(new ProgressReport(node.id(), job.attempt(),
                    new JobProgress(1, 2, "half"))), trial.now()));
        }

        /** A repeated step is answered as the first was. */
        private void keep(ClaimedJob job) {
            StepReport step = new StepReport(node.id(), job.attempt(), "charge", Payload.text("c-1"));
            assertThat(sure(() -> jobs.keep(step, trial.now()))).isEqualTo(StepResult.KEPT);
            assertThat(sure(() -> views.steps(job.id()))).hasSize(1);
        }

        /** A repeated question and a repeated event are answered as the first were. */
        private void awaitEvent(ClaimedJob job) {
            EventWait wait = new EventWait(node.id(), job.attempt(), "approval", trial.in(Duration.ofHours(1)));
            assertThat(sure(() -> jobs.await(wait, trial.now()))).isInstanceOf(AwaitAnswer.Known.class);
            NewEvent event = new NewEvent(job.id(), "approval", null, Payload.text("yes"));
            assertThat(sure(() -> jobs.event(event, trial.now())).isKept()).isTrue();
            assertThat(sure(() -> views.events(job.id()))).hasSize(1);
        }

        /** A repeated report is refused if the first was accepted, and harmless. */
        private void settle(ClaimedJob job, AttemptOutcome outcome) {
            int before = fault.failures();
            SettleResult result = sure(() -> jobs.settle(List.of(new Settlement(node.id(), job.attempt(), outcome)),
                    trial.now())).getFirst();
            if (fault.failures() == before) {
                assertThat(result).isEqualTo(SettleResult.ACCEPTED);
            }
        }
    }
}
