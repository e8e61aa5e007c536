package dev.orderly.bench.postgres;

import dev.orderly.bench.contender.OrderlyJobs;
import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Latencies;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.time.Time;
import java.time.Duration;

/** A process that only pushes, one job at a time. */
final class PushingNode {
    private PushingNode() {}

    /** Arguments: the address of the database, the number of jobs, the milliseconds between two. */
    public static void main(String[] args) throws InterruptedException {
        Time time = Time.system();
        try (OrderlyJobs ours = new OrderlyJobs(PostgresStore.open(Database.options(args[0])))) {
            for (int left = Integer.parseInt(args[1]); left > 0; left--) {
                ours.push(Latencies.stamped(time.nanos()));
                Thread.currentThread().join(Duration.ofMillis(Long.parseLong(args[2])));
            }
        }
    }
}
