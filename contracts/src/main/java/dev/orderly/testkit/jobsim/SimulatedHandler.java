package dev.orderly.testkit.jobsim;

import dev.orderly.job.Job;
import dev.orderly.job.RetryLater;
import dev.orderly.job.TimedOut;
import dev.orderly.job.Unprocessable;
import java.time.Duration;
import java.util.Optional;

/** The handler of the queues of a node: what it does with a job stands in the payload. */
record SimulatedHandler(SimulatedNode node, Turns turns, JobReferee referee) {
    void handle(String queue, String payload, Job<String> job) throws InterruptedException {
        Work work = Work.parse(payload);
        char plan = referee.isHealed() ? 'o' : work.plan(job.attempt());
        referee.started(node, queue, work, job.id(), job.attempt());
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
            if (work.number() % 3 == 0) {
                deaf = true; // while it waits for the store to keep the step
                int by = job.step("work", Integer.class, () -> referee.stepping(node, job.id(), job.attempt()));
                referee.stepped(job.id(), by);
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

    /** Asks for the event of the job; false if the wait for it goes on. */
    private boolean awaited(Job<String> job) {
        int attempt = job.attempt();
        referee.events.asking(job.id(), turns.now());
        try {
            Optional<Integer> event = job.await(EventReferee.NAME, Integer.class, EventReferee.WAIT);
            event.ifPresent(value -> referee.told(node, job.id(), value));
            if (event.isEmpty() && referee.isHealed()) {
                turns.in(turns.random.nextInt(100) * 1_000_000L,
                        () -> node.start("sender", () -> node.send(job.id(), attempt)));
            }
            return event.isPresent();
        } catch (TimedOut e) {
            referee.timedOut(node, job.id());
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
