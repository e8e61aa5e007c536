package dev.orderly.bench.contender;

import dev.orderly.flow.Lifecycle;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.engine.MessageTarget;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Orderly: the whole engine, with its rules, encoding, group commit, threads, permits and fencing. */
public final class OrderlyJobs implements Contender {
    /** Handlers at once, unless a run varies the number. */
    public static final int HANDLERS = 1_000;

    private final PostgresStore store;
    private final EndingCounter ends;
    private final Lifecycle pushes = new Lifecycle();
    private final JobClient client;
    private final JobWorker worker;
    private final QueueOptions options;

    /** With {@link #HANDLERS}. */
    public OrderlyJobs(PostgresStore store) {
        this(store, HANDLERS, false);
    }

    /** @param oneByOne whether each job is settled in a transaction of its own */
    public OrderlyJobs(PostgresStore store, int handlers, boolean oneByOne) {
        this.store = store;
        ends = new EndingCounter(store.jobs(), oneByOne);
        client = new JobClient(ends, store.jobViews(), EngineOptions.defaults()
                .withTime(store.clock(Time.system())).withStopGrace(Duration.ofSeconds(1)), store.bus(),
                store.transactionalJobs(), pushes);
        worker = new JobWorker(client, MessageTarget.NONE);
        options = QueueOptions.STANDARD.withConcurrency(handlers).withMaxPending(100_000_000);
    }

    /** The client side of the node. */
    public JobClient client() {
        return client;
    }

    /** The worker side of the node. */
    public JobWorker worker() {
        return worker;
    }

    /** The queue of the measured jobs. */
    public StandardQueue<String> queue() {
        return queue(BenchJobs.STANDARD.value());
    }

    /** A queue with the same options. */
    public StandardQueue<String> queue(String name) {
        return client.queue(name, String.class, options);
    }

    FifoQueue<String> fifo() {
        return client.fifo(BenchJobs.FIFO.value(), String.class, options.withRetry(QueueOptions.FIFO.retry()));
    }

    @Override
    public void push(String payload) {
        queue().push(payload);
    }

    @Override
    public void pushAll(List<String> payloads) {
        queue().pushAll(payloads);
    }

    @Override
    public void start(Consumer<String> handler) {
        worker.handle(queue(), (payload, _) -> handler.accept(payload));
        worker.start();
    }

    @Override
    public void awaitEnds(long jobs) throws InterruptedException {
        ends.await(jobs);
    }

    @Override
    public void close() {
        worker.stop();
        pushes.end();
        store.close();
    }
}
