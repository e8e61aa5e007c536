package dev.orderly.bench.crowd;

import dev.orderly.Store;
import dev.orderly.time.Time;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Plays a crowd over HTTP in real time. */
public final class HttpCrowd {
    private HttpCrowd() {}

    /**
     * Plays a crowd until its last visitor has left.
     *
     * @param stores the store as each gate has opened it
     * @throws ExecutionException if a visitor gets an answer that no visitor should get, or none within a minute
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
            CompletionService<@Nullable Void> visits = new ExecutorCompletionService<>(visitors);
            for (int n = 0; n < plan.visitors(); n++) {
                CrowdVisitor.Manner manner = new CrowdVisitor.Manner(random.nextDouble() < plan.absent(),
                        random.nextDouble() < plan.connected(),
                        Duration.ofMillis((long) (plan.stay().toMillis() * (0.5 + random.nextDouble()))),
                        random.nextDouble() / 4);
                long comes = time.deadline(
                        Duration.ofMillis((long) (plan.arriving().toMillis() * random.nextDouble())));
                var _ = visits.submit(() -> {
                    CrowdVisitor.until(time, comes);
                    new CrowdVisitor(gates, book, client, time, manner).visit();
                    return null;
                });
            }
            try {
                for (int n = 0; n < plan.visitors(); n++) {
                    visits.take().get();
                }
            } catch (ExecutionException e) { // the visitor may be inside: the others would wait for the place
                visitors.shutdownNow();
                throw e;
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
