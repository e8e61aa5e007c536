import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.RetryLater;
import dev.orderly.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;

/** A payload: any record that Jackson writes and reads. */
record Step(String order, String name) {}

/**
 * Two orders, each a group: the steps of an order run one after the other, the orders side by side. The bank refuses a
 * payment, so its order waits and the other goes on. Stop it in the middle and start it again: what was pushed runs.
 */
void main(String[] arguments) throws InterruptedException {
    Path file = Path.of(arguments.length > 0 ? arguments[0] : "orders.db");
    LinkedBlockingQueue<JobId> done = new LinkedBlockingQueue<>();
    try (Orderly orderly = Orderly.open(SqliteStore.at(file))) {
        FifoQueue<Step> orders = orderly.fifo("orders.fifo", Step.class);
        orderly.handle(orders, (step, job) -> {
            if (step.name().equals("pay") && job.failures() == 0 && step.order().startsWith("A")) {
                IO.println(step.order() + ": the bank refuses");
                throw new RetryLater(Duration.ofMillis(300));
            }
            IO.println(step.order() + ": " + step.name() + ", attempt " + job.attempt());
            done.add(job.id());
        });
        orderly.start();

        long run = ProcessHandle.current().pid();
        List<Step> steps = List.of(new Step("A-" + run, "reserve"), new Step("B-" + run, "reserve"),
                new Step("A-" + run, "pay"), new Step("B-" + run, "pay"), new Step("A-" + run, "ship"),
                new Step("B-" + run, "ship"));
        Set<JobId> waiting = new HashSet<>(orders.pushAll(steps, Step::order)); // durable from here on
        while (!waiting.isEmpty()) {
            waiting.remove(done.take());
        }
    }
}
