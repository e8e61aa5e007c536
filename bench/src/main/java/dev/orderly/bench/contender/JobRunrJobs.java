package dev.orderly.bench.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.bench.measure.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;
import org.jspecify.annotations.Nullable;

/** JobRunr with requests and handlers, its shortest poll on SQL (5 s), its own choice of workers. */
final class JobRunrJobs implements Contender {
    private static final int CONNECTIONS = 20;

    private final HikariDataSource pool;
    private final Jackson3JsonMapper json = new Jackson3JsonMapper();
    private final PostgresStorageProvider storage;
    private final JobRequestScheduler scheduler;
    private @Nullable BackgroundJobServer server;

    JobRunrJobs(Database database) throws SQLException {
        pool = database.freshPool(CONNECTIONS);
        storage = new PostgresStorageProvider(pool);
        storage.setJobMapper(new JobMapper(json));
        scheduler = new JobRequestScheduler(storage);
    }

    /** The request of a job. */
    public record Work(String payload) implements JobRequest {
        @Override
        public Class<Worker> getJobRequestHandler() {
            return Worker.class;
        }
    }

    /** The handler of a job. */
    public record Worker(Consumer<String> handler) implements JobRequestHandler<Work> {
        @Override
        public void run(Work work) {
            handler.accept(work.payload());
        }
    }

    @Override
    public void push(String payload) {
        scheduler.enqueue(new Work(payload));
    }

    @Override
    public void pushAll(List<String> payloads) {
        scheduler.enqueue(payloads.stream().map(Work::new));
    }

    @Override
    public void start(Consumer<String> handler) {
        Worker worker = new Worker(handler);
        JobActivator activator = new JobActivator() {
            @Override
            public <T> T activateJob(Class<T> type) {
                return type.cast(worker);
            }
        };
        server = new BackgroundJobServer(storage, json, activator, BackgroundJobServerConfiguration
                .usingStandardBackgroundJobServerConfiguration().andPollInterval(Duration.ofSeconds(5))
                .andInterruptJobsAwaitDurationOnStopBackgroundJobServer(Duration.ofSeconds(1)));
        server.start();
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop();
        }
        scheduler.shutdown();
        storage.close();
        pool.close();
    }
}
