package dev.orderly.schedule;

/**
 * Application code that a schedule runs. As {@link dev.orderly.job.Handler}: runs on a thread of its own, may block,
 * throws to report a failure, ends soon after {@link ScheduledRun#signal()} is raised, and may run more than once for
 * one instant.
 */
@FunctionalInterface
public interface ScheduledHandler {
    void handle(ScheduledRun run) throws Exception;
}
