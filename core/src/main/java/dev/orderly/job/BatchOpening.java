package dev.orderly.job;

import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Builder of a {@link Batch}. Immutable and reusable: each method returns a changed copy, {@code then} opens it. */
public final class BatchOpening {
    private final Batch.Target target;
    private final BatchName name;
    private final WhenDead whenDead;
    private final @Nullable UserId user;
    private final Map<String, String> params;

    /** Called by the engine; applications use {@link dev.orderly.Orderly#batch}. */
    public BatchOpening(Batch.Target target, BatchName name) {
        this(Objects.requireNonNull(target, "target"), Objects.requireNonNull(name, "name"), WhenDead.FINISH, null,
                Map.of());
    }

    private BatchOpening(Batch.Target target, BatchName name, WhenDead whenDead, @Nullable UserId user,
            Map<String, String> params) {
        this.target = target;
        this.name = name;
        this.whenDead = whenDead;
        this.user = user;
        this.params = params;
    }

    /** Sets what dead letters mean for the end of the batch; the default is {@link WhenDead#FINISH}. */
    public BatchOpening whenDead(WhenDead value) {
        return new BatchOpening(target, name, Objects.requireNonNull(value, "value"), user, params);
    }

    /** Sets the user that the callback belongs to. As {@link Push#user}. */
    public BatchOpening user(UserId value) {
        return new BatchOpening(target, name, whenDead, Objects.requireNonNull(value, "value"), params);
    }

    /** Sets names and values for the handler of the callback. As {@link Push#params}. */
    public BatchOpening params(Map<String, String> value) {
        return new BatchOpening(target, name, whenDead, user, Map.copyOf(Objects.requireNonNull(value, "value")));
    }

    /**
     * Makes the batch part of the caller's own transaction, and {@link Batch#close} and {@link Batch#cancel} of its
     * handle too: as {@link Push#in(Connection)}. Members that are pushed in the same transaction belong to it.
     */
    public BatchOpening in(Connection connection) {
        return new BatchOpening(target.in(new CallersTransaction.OnConnection(connection)), name, whenDead, user,
                params);
    }

    /** As {@link #in(Connection)}, in the transaction that is open on this thread. As {@link Push#in(DataSource)}. */
    public BatchOpening in(DataSource dataSource) {
        return new BatchOpening(target.in(new CallersTransaction.OfDataSource(dataSource)), name, whenDead, user,
                params);
    }

    /**
     * Opens the batch with its callback, durably. A batch of this name that is still open with an equal callback and
     * rule for dead letters is the answer, so that an importer that begins again goes on with its batch.
     *
     * @throws BatchRefusedException if a batch of this name is kept that is closed or finished, or has another callback
     *     or rule
     * @throws PushRefusedException if the callback breaks a rule of its queue
     */
    public <T> Batch then(StandardQueue<T> queue, T payload) {
        return open(target.request(Objects.requireNonNull(queue, "queue"), Objects.requireNonNull(payload, "payload")));
    }

    /** As {@link #then(StandardQueue, Object)}, into a group of a FIFO queue. */
    public <T> Batch then(FifoQueue<T> queue, String group, T payload) {
        return open(target.request(Objects.requireNonNull(queue, "queue"), Objects.requireNonNull(payload, "payload"))
                .withGroup(Objects.requireNonNull(group, "group")));
    }

    private Batch open(PushRequest callback) {
        PushRequest owned = user == null ? callback : callback.withUser(user);
        BatchView opened = target.open(name, whenDead, params.isEmpty() ? owned : owned.withParams(params));
        return new Batch(target, opened.member(), null);
    }
}
