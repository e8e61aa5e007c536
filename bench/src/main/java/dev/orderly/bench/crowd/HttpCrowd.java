package dev.orderly.bench.crowd;

import dev.orderly.Store;
import dev.orderly.time.Time;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Plays a crowd over HTTP in real time. */
public final class HttpCrowd {
    private HttpCrowd() {}

    /**
     * Plays a crowd until its last visitor has left.
     *
     * @param stores the store as each gate has opened it
     */
    public static CrowdOutcome play(CrowdPlan plan, List<Store> stores, long seed) throws Exception {
        Time time = Time.system();
        Random random = new Random(seed);
        CrowdBook book = new CrowdBook(time, plan.capacity());
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> neighbours = new ArrayList<>();
        for (int n = 0; n < plan.busy(); n++) {
            neighbours.add(Thread.ofPlatform().daemon().name("neighbour").start(() -> compute(over)));
        }
        try (CrowdGates gates = new CrowdGates(stores, plan);
                HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
                ExecutorService visitors = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> visits = new ArrayList<>();
            for (int n = 0; n < plan.visitors(); n++) {
                CrowdVisitor.Manner manner = new CrowdVisitor.Manner(random.nextDouble() < plan.absent(),
                        random.nextDouble() < plan.connected(),
                        Duration.ofMillis((long) (plan.stay().toMillis() * (0.5 + random.nextDouble()))),
                        random.nextDouble() / 4);
                long comes = time.deadline(
                        Duration.ofMillis((long) (plan.arriving().toMillis() * random.nextDouble())));
                visits.add(visitors.submit(() -> {
                    while (!time.reached(comes)) {
                        time.park(comes);
                    }
                    new CrowdVisitor(gates, book, client, time, manner).visit();
                    return null;
                }));
            }
            for (Future<?> visit : visits) {
                visit.get();
            }
            return book.outcome();
        } finally {
            over.set(true);
            for (Thread neighbour : neighbours) {
                neighbour.join();
            }
        }
    }

    private static void compute(AtomicBoolean over) {
        double sum = 0;
        while (!over.get() || sum < 0) {
            for (int n = 1; n < 10_000; n++) {
                sum += Math.sqrt(n);
            }
        }
    }
}
