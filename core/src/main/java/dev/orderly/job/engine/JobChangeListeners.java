package dev.orderly.job.engine;

import dev.orderly.Registration;
import dev.orderly.flow.LogLimit;
import dev.orderly.job.JobId;
import dev.orderly.time.Time;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Callbacks that are notified when a job changes on this node. An exception of a callback affects neither the job nor
 * the other callbacks.
 */
final class JobChangeListeners {
    private static final Logger LOG = LoggerFactory.getLogger(JobChangeListeners.class);

    private final List<Consumer<JobId>> listeners = new CopyOnWriteArrayList<>();
    private final LogLimit failures;

    JobChangeListeners(Time time) {
        failures = new LogLimit(LOG, time);
    }

    Registration add(Consumer<JobId> listener) {
        listeners.add(listener);
        return Registration.of(() -> listeners.remove(listener));
    }

    void jobChanged(JobId job) {
        for (Consumer<JobId> listener : listeners) {
            try {
                listener.accept(job);
            } catch (RuntimeException | LinkageError | StackOverflowError e) {
                failures.error("A listener failed at the change of job {}", job, e);
            }
        }
    }
}
