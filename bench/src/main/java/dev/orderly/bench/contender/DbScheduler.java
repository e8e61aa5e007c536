package dev.orderly.bench.contender;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.bench.measure.Database;
import dev.orderly.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * db-scheduler as its documentation advises for many jobs: lock-and-fetch, execution at once where jobs are pushed, 50
 * threads.
 */
final class DbScheduler implements Contender {
    private static final int THREADS = 50;
    private static final String NAME = "bench";

    private final Time time = Time.system();
    private final AtomicLong ids = new AtomicLong();
    private final HikariDataSource pool;
    private final Scheduler scheduler;
    private volatile Consumer<String> handler = _ -> {};

    DbScheduler(Database database) throws SQLException {
        pool = database.freshPool(THREADS);
        database.run("""
                CREATE TABLE bench.scheduled_tasks (task_name text NOT NULL, task_instance text NOT NULL,
                  task_data bytea, execution_time timestamptz, picked boolean NOT NULL, picked_by text,
                  last_success timestamptz, last_failure timestamptz, consecutive_failures int,
                  last_heartbeat timestamptz, version bigint NOT NULL, priority smallint, state text,
                  PRIMARY KEY (task_name, task_instance));
                CREATE INDEX ON bench.scheduled_tasks (execution_time);
                CREATE INDEX ON bench.scheduled_tasks (last_heartbeat);
                CREATE INDEX ON bench.scheduled_tasks (priority DESC, execution_time ASC)""");
        OneTimeTask<String> task = Tasks.oneTime(NAME, String.class)
                .execute((instance, _) -> handler.accept(instance.getData()));
        scheduler = Scheduler.create(pool, task).threads(THREADS).pollUsingLockAndFetch(1.0, 4.0)
                .enableImmediateExecution().pollingInterval(Duration.ofMillis(500))
                .shutdownMaxWait(Duration.ofSeconds(2)).build();
    }

    @Override
    public void push(String payload) {
        scheduler.schedule(instance(payload), time.now());
    }

    @Override
    public void pushAll(List<String> payloads) {
        List<TaskInstance<?>> instances = new ArrayList<>(payloads.size());
        payloads.forEach(payload -> instances.add(instance(payload)));
        scheduler.scheduleBatch(instances, time.now());
    }

    @Override
    public void start(Consumer<String> by) {
        handler = by;
        scheduler.start();
    }

    @Override
    public void close() {
        scheduler.stop();
        pool.close();
    }

    private TaskInstance<String> instance(String payload) {
        return new TaskInstance<>(NAME, Long.toString(ids.incrementAndGet()), payload);
    }
}
