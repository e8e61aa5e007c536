package dev.orderly.operate;

import dev.orderly.job.BatchName;
import dev.orderly.job.BatchRefusedException;
import dev.orderly.job.BatchView;
import dev.orderly.job.PushRequest;
import dev.orderly.job.WhenDead;
import dev.orderly.job.engine.JobBatches;
import dev.orderly.operate.OperationRefusedException.Reason;
import java.util.Locale;
import java.util.function.BiFunction;

/** The operations on batches. */
public final class BatchControl {
    private BatchControl() {}

    /** Opens a batch, or answers the open one with the same callback and rule. */
    public static Operation<BatchView> open(String name, WhenDead whenDead, PushRequest callback) {
        return new Operation<>(OperationSpec.OPEN_BATCH, (targets, _) -> {
            BatchName batch = Targets.batchName(name, Reason.BOUNDS);
            return new PreparedChange<>("batch " + batch, null, () -> {
                try {
                    return targets.orderly().engines().jobs().batches().open(batch, whenDead, callback);
                } catch (BatchRefusedException e) {
                    throw refused(e);
                }
            }, view -> "callback for queue " + view.queue());
        });
    }

    /** Ends the pushes of members by all but running members. */
    public static Operation<BatchView> close(String name) {
        return change(OperationSpec.CLOSE_BATCH, name, (batches, batch) -> batches.close(batch.member()));
    }

    /** Cancels what waits of a batch, asks what runs to end, and refuses further members. */
    public static Operation<BatchView> cancel(String name) {
        return change(OperationSpec.CANCEL_BATCH, name, (batches, batch) -> batches.cancel(batch.member()));
    }

    private static Operation<BatchView> change(OperationSpec spec, String name,
            BiFunction<JobBatches, BatchView, BatchView> change) {
        return new Operation<>(spec, (targets, _) -> {
            BatchView batch = targets.batch(name);
            return new PreparedChange<>("batch " + batch.name(), state(batch), () -> {
                try {
                    return change.apply(targets.orderly().engines().jobs().batches(), batch);
                } catch (BatchRefusedException e) {
                    throw refused(e);
                }
            }, BatchControl::state).shown(state(batch));
        });
    }

    private static String state(BatchView batch) {
        return batch.state().name().toLowerCase(Locale.ROOT);
    }

    static OperationRefusedException refused(BatchRefusedException refused) {
        return new OperationRefusedException(switch (refused.reason()) {
            case UNKNOWN -> Reason.UNKNOWN_BATCH;
            case CLOSED, DIFFERENT -> Reason.BATCH_CLOSED;
        }, String.valueOf(refused.getMessage()));
    }
}
