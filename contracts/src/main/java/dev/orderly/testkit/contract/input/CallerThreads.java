package dev.orderly.testkit.contract.input;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Concurrent callers on threads of their own. */
public final class CallerThreads {
    private static final int PATIENCE_SECONDS = 60;

    private CallerThreads() {}

    /** The results of all calls of all callers. */
    public static <T> List<T> all(int callers, int times, Callable<T> call) {
        try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
            List<Future<List<T>>> asked = IntStream.range(0, callers)
                    .mapToObj(_ -> threads.submit(() -> repeated(times, call))).toList();
            return asked.stream().map(CallerThreads::answer).flatMap(List::stream).toList();
        }
    }

    private static <T> List<T> repeated(int times, Callable<T> call) {
        return Stream.generate(() -> single(call)).limit(times).toList();
    }

    private static <T> T single(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new AssertionError("A caller failed", e);
        }
    }

    private static <T> T answer(Future<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("A caller got no answer", e);
        }
    }
}
