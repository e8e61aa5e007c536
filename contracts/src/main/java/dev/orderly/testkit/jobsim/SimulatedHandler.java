package dev.orderly.testkit.jobsim;

import dev.orderly.job.Job;
import dev.orderly.job.RetryLater;
import dev.orderly.job.TimedOut;
import dev.orderly.job.Unprocessable;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.util.Optional;

/** The handler of the queues of a node: what it does with a job stands in the payload. */
record SimulatedHandler(SimulatedNode node, Turns turns, JobReferee referee) {
    void handle(String queue, String payload, Job<String> job) throws InterruptedException {
        Work work = Work.parse(payload);
        char plan = referee.isHealed() ? 'o' : work.plan(job.attempt());
        referee.started(node, queue, work, job.id(), job.attempt());
        TrackedJob tracked = referee.jobs.get(job.id());
        String how = "died";
        boolean deaf = plan == 'i';
        try {
            if (work.awaits()) {
                deaf = true; // while it waits for the store to answer
                if (!awaited(job)) {
                    how = "awaiting";
                    return;
                }
                deaf = plan == 'i' || Thread.currentThread().isInterrupted();
            }
            boolean whole = referee.awaitsOthers(work)
                    ? meet(work)
                    : node.pause(referee.isHealed() && !work.isTrial() ? Math.min(work.millis(), 200) : work.millis(),
                            plan == 'i');
            if (!whole) {
                how = "interrupted";
                throw new InterruptedException("interrupted");
            }
            if (work.hasStep() || work.hasChild(job.attempt()) || referee.batches.isCallback(tracked)) {
                deaf = true; // while it waits for the store
                ask(work, tracked, job);
                deaf = plan == 'i' || Thread.currentThread().isInterrupted();
            }
            how = switch (plan) {
                case 'f' -> "failed";
                case 'd' -> "unprocessable";
                case 'l' -> "later";
                case 's' -> "snoozed";
                default -> "done";
            };
            switch (plan) {
                case 'f' -> throw new IllegalStateException("planned");
                case 'd' -> throw new Unprocessable("planned");
                case 'l' -> throw new RetryLater(Duration.ofSeconds(2));
                case 's' -> job.snooze(Duration.ofSeconds(1));
                default -> {
                }
            }
        } finally {
            referee.ended(node, queue, work, job.id(), job.attempt(), how, deaf);
        }
    }

    /** What an attempt does with the store: its step, a further member of its batch, a look at the finished batch. */
    private void ask(Work work, TrackedJob tracked, Job<String> job) {
        if (work.hasStep()) {
            int by = job.step(StepReferee.NAME, Integer.class, () -> {
                referee.steps.doing(node, tracked, job.attempt());
                return job.attempt();
            });
            referee.steps.has(tracked, job.attempt(), by);
        }
        try {
            if (work.hasChild(job.attempt())) {
                Work child = work.child(job.attempt());
                node.pushChild(tracked, child, () -> node.push(work.queueOfChildren(), child, null, null, job.batch()));
            }
            if (referee.batches.isCallback(tracked)) {
                referee.batches.told(node, tracked, job.batch().counts());
            }
        } catch (StoreException e) {
            // a further member may be there; the batch is not looked at
        }
    }

    /** Asks for the event of the job; false if the wait for it goes on. */
    private boolean awaited(Job<String> job) {
        TrackedJob tracked = referee.jobs.get(job.id());
        referee.events.asking(job.id());
        try {
            Optional<Integer> event = job.await(EventReferee.NAME, Integer.class, EventReferee.WAIT);
            event.ifPresent(value -> referee.events.told(node, tracked, value));
            if (event.isEmpty() && referee.isHealed()) {
                node.sendSoon(job.id(), job.attempt());
            }
            return event.isPresent();
        } catch (TimedOut e) {
            referee.events.timedOut(node, tracked);
            return true;
        }
    }

    /** Waits until as many handlers of the queue run as there are in all; false if that does not come about. */
    private boolean meet(Work work) {
        long deadline = node.time.deadline(Duration.ofSeconds(60));
        while (!referee.allMet(work) && !node.time.reached(deadline)) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            node.time.park(node.time.deadline(Duration.ofMillis(100)));
        }
        return true;
    }
}
