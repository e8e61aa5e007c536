package dev.orderly.job.store;

import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import java.time.Duration;
import java.util.List;

/**
 * An observer of the jobs of this node. Called after the store has answered, on the thread of the call: must neither
 * block nor throw. Every method does nothing by default.
 */
public interface JobObserver {
    /** Observes nothing. */
    JobObserver NONE = new JobObserver() {
    };

    /** An observer that passes each observation to others, in their order. */
    static JobObserver of(List<JobObserver> observers) {
        List<JobObserver> all = List.copyOf(observers);
        return new JobObserver() {
            @Override
            public void pushed(QueueName queue, PushResult result) {
                all.forEach(each -> each.pushed(queue, result));
            }

            @Override
            public void foundEqual(QueueName queue) {
                all.forEach(each -> each.foundEqual(queue));
            }

            @Override
            public void claimed(ClaimedJob job, Duration age) {
                all.forEach(each -> each.claimed(job, age));
            }

            @Override
            public void ran(QueueName queue, Duration run) {
                all.forEach(each -> each.ran(queue, run));
            }

            @Override
            public void settled(Settlement settlement, SettleResult result) {
                all.forEach(each -> each.settled(settlement, result));
            }

            @Override
            public void upkept(UpkeepReport report) {
                all.forEach(each -> each.upkept(report));
            }
        };
    }

    /** A push was answered. */
    default void pushed(QueueName queue, PushResult result) {}

    /** A push without a dedupe id was answered with an equal job of its group; nothing was stored. */
    default void foundEqual(QueueName queue) {}

    /**
     * A job was claimed, or handed off with its push.
     *
     * @param age time since the push
     */
    default void claimed(ClaimedJob job, Duration age) {}

    /** A handler of this node has returned or thrown. */
    default void ran(QueueName queue, Duration run) {}

    /** A report about an attempt was answered. */
    default void settled(Settlement settlement, SettleResult result) {}

    /** A round of upkeep has ended. */
    default void upkept(UpkeepReport report) {}
}
