package dev.orderly.schedule;

/**
 * Code that a schedule runs. As {@link dev.orderly.job.Handler}: on a thread of its own, may block, throws to say
 * that it failed, ends soon after {@link ScheduledRun#signal()} is raised, and may run more than once for one instant.
 */
@FunctionalInterface
public interface ScheduledHandler {
    void handle(ScheduledRun run) throws Exception;
}
