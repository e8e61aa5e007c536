package dev.orderly.testkit.jobsim;

import dev.orderly.job.Batch;
import dev.orderly.job.BatchLink;
import dev.orderly.job.BatchRefusedException;
import dev.orderly.job.BatchView;
import dev.orderly.job.PushRequest;
import dev.orderly.job.WhenDead;
import dev.orderly.job.engine.JobBatches;
import dev.orderly.store.StoreException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Clients and operators that open, close and cancel batches through a node, again where the outcome is not known. */
final class BatchClients {
    private static final int TRIES = 8;

    private final JobReferee referee;
    private final BatchReferee batches;

    BatchClients(JobReferee referee) {
        this.referee = referee;
        this.batches = referee.batches;
    }

    private static JobBatches port(SimulatedNode node) {
        return node.orderly().engines().jobs().batches();
    }

    /** The handle of a batch on a node. */
    static Batch on(SimulatedNode node, BatchLink link) {
        return new Batch(port(node), link, null);
    }

    /** A request of one batch; null for an answer that says that it is not open any more. */
    private interface Request {
        @Nullable
        BatchView send();
    }

    /** Opens a batch; whether it is open. */
    boolean open(SimulatedNode node, int number, String queue, Work callback, boolean waits) {
        batches.opening(number, callback, waits);
        BatchView opened = again(node, () -> {
            PushRequest plain = node.request(queue, callback);
            try {
                return port(node).open(BatchReferee.name(number), waits ? WhenDead.WAIT : WhenDead.FINISH,
                        plain.withParams(Map.of(BatchReferee.WORK, callback.payload())));
            } catch (BatchRefusedException e) {
                referee.broken("Batch " + number + " is open to nobody else, and is refused", e);
                return null;
            }
        });
        if (opened != null) {
            batches.opened(node, number, opened);
        }
        return opened != null;
    }

    void close(SimulatedNode node, int number) {
        batches.closing(node, number);
        if (again(node, () -> port(node).close(batches.link(number))) != null) {
            batches.closed(node, number);
        }
    }

    /** Closes what nobody has closed. */
    void closeRest(SimulatedNode node) {
        batches.toClose().forEach(number -> close(node, number));
    }

    void cancel(SimulatedNode node, int number) {
        batches.cancelling(node, number);
        BatchView cancelled = again(node, () -> port(node).cancel(batches.link(number)));
        if (cancelled != null) {
            batches.cancelled(node, number, cancelled);
        }
    }

    /** The answer to a request; null if none comes. */
    private static @Nullable BatchView again(SimulatedNode node, Request request) {
        for (int tries = 0; tries < TRIES && node.isWorking(); tries++) {
            try {
                return request.send();
            } catch (StoreException e) {
                // nothing was done, or it may be done again
            } catch (IllegalStateException e) {
                return null; // the node stops
            }
            node.pause(1_000, true);
        }
        return null;
    }
}
