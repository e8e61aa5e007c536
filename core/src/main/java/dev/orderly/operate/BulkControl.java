package dev.orderly.operate;

import dev.orderly.job.bulk.BulkCount;
import dev.orderly.job.bulk.BulkOperations;
import dev.orderly.job.bulk.BulkRequest;
import dev.orderly.job.bulk.BulkStatus;
import dev.orderly.operate.OperationRefusedException.Reason;

/** The operations on everything that a search finds. */
public final class BulkControl {
    private BulkControl() {}

    /** Starts a bulk operation; its end has an entry of its own in the audit log. */
    public static Operation<BulkStatus> start(BulkRequest request, BulkCount count) {
        return new Operation<>(OperationSpec.BULK, (targets, _) -> new PreparedChange<>(
                request.action().text() + " of " + request.words(), words(count), null, ended -> {
                    try {
                        return targets.orderly().engines().bulk().start(request, count,
                                status -> ended.accept(status.id() + " " + status.summary()));
                    } catch (BulkOperations.RefusedException e) {
                        throw new OperationRefusedException(Reason.BULK_REFUSED, String.valueOf(e.getMessage()));
                    }
                }, status -> status.id() + " started"));
    }

    /** Stops a bulk operation after its part under way. */
    public static Operation<BulkStatus> stop(String id) {
        return new Operation<>(OperationSpec.STOP_BULK, (targets, _) -> {
            BulkStatus status = targets.bulk(id);
            return new PreparedChange<>("bulk operation " + status.id(), status.summary(),
                    () -> targets.orderly().engines().bulk().stop(status.id())
                            .orElseThrow(() -> Targets.unknownBulk(id)),
                    BulkStatus::summary);
        });
    }

    private static String words(BulkCount count) {
        return (count.atLeast() ? "at least " : "") + count.jobs() + (count.jobs() == 1 ? " job" : " jobs");
    }
}
