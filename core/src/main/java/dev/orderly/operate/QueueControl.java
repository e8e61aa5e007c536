package dev.orderly.operate;

import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.settings.QueueOverride;
import dev.orderly.job.settings.QueueSettings;
import dev.orderly.operate.OperationRefusedException.Reason;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The operations on queues. */
public final class QueueControl {
    private QueueControl() {}

    /** Stops the claims from a queue on all nodes, or lets them go on. */
    public static Operation<QueueName> pause(String queue, boolean paused) {
        return new Operation<>(paused ? OperationSpec.PAUSE : OperationSpec.RESUME, (targets, _) -> {
            var view = targets.queue(queue).view();
            return new PreparedChange<>(object(view.queue()), state(view.paused()), () -> {
                targets.orderly().jobs().pause(view.queue(), paused);
                return view.queue();
            }, _ -> state(paused));
        });
    }

    /** A paused queue in words. */
    public static String state(boolean paused) {
        return paused ? "paused" : "running";
    }

    /**
     * Lets dead letters of a queue wait again. That of one job is an operation on the job.
     *
     * @param ids null for all of the queue
     * @param limit the most that are redriven
     */
    public static Operation<Integer> redrive(String queue, @Nullable List<JobId> ids, int limit) {
        return new Operation<>(OperationSpec.REDRIVE, (targets, _) -> {
            JobClient jobs = targets.orderly().engines().jobs();
            QueueName name = targets.queueName(queue);
            JobView job = ids != null && ids.size() == 1 ? jobs.find(ids.getFirst()).orElse(null) : null;
            String asked = ids == null ? "all dead letters" : ids.size() + " named jobs";
            return new PreparedChange<>(job == null ? object(name) : JobControl.object(job),
                    job == null ? asked + ", at most " + limit : JobControl.state(job),
                    () -> ids == null ? jobs.redriveAll(name, limit) : jobs.redrive(name, ids, limit),
                    count -> "redriven " + count);
        });
    }

    /** Changes settings of a queue on all nodes, until they are reset. */
    public static Operation<QueueOverride> set(String queue, UnaryOperator<QueueOverride> change) {
        return new Operation<>(OperationSpec.SET_QUEUE, (targets, who) -> {
            QueueName name = targets.queueName(queue);
            QueueSettings settings = targets.orderly().engines().settings();
            try {
                var _ = change.apply(QueueOverride.NONE); // a value out of its bounds is no failed change
            } catch (IllegalArgumentException e) {
                throw OperationRefusedException.bounds(e);
            }
            return new PreparedChange<>(object(name), settings.of(name).text(), () -> {
                try {
                    return settings.change(name, change, who.toString());
                } catch (IllegalArgumentException e) {
                    throw OperationRefusedException.bounds(e);
                }
            }, QueueOverride::text);
        });
    }

    /** Deletes what is known of a queue that is gone. */
    public static Operation<QueueName> forget(String queue) {
        return new Operation<>(OperationSpec.FORGET_QUEUE, (targets, _) -> {
            QueueName name = targets.queueName(queue);
            return new PreparedChange<>(object(name), null, () -> switch (targets.orderly().jobs().forget(name)) {
                case ForgetQueueResult.Forgotten _ -> name;
                case ForgetQueueResult.Unknown _ -> throw Targets.unknownQueue(name);
                case ForgetQueueResult.InUse inUse ->
                    throw new OperationRefusedException(Reason.QUEUE_IN_USE, inUse.text());
            }, _ -> "forgotten");
        });
    }

    private static String object(QueueName queue) {
        return "queue " + queue;
    }
}
