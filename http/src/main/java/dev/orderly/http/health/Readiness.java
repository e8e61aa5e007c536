package dev.orderly.http.health;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a server can do its work: every check performs a real operation. A check runs on a thread of its own, once at
 * a time. A success counts for a second, so that frequent requests cost nothing. A check that takes longer than two
 * seconds counts as failed. Thread-safe.
 */
public final class Readiness {
    private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final String STOPPING = "stopping";
    private static final Duration COUNTS = Duration.ofSeconds(1);

    private final Time time;
    private final List<Trial> trials;
    private final Supplier<List<String>> warnings;
    private volatile boolean stopping;

    /**
     * One requirement of readiness.
     *
     * @param name a single word
     * @param check throws {@link IllegalStateException}, with a message for the operator, if it fails; may block
     */
    public record Check(String name, Runnable check) {}

    private final class Trial {
        private final Check check;
        private final AtomicReference<Run> last = new AtomicReference<>(new Run(time.nanos() - COUNTS.toNanos(),
                CompletableFuture.completedFuture("")));

        Trial(Check check) {
            this.check = check;
        }

        /** The current or recent run; else a new run. */
        CompletableFuture<String> run() {
            Run known = last.get();
            boolean counts = known.found.getNow("").isEmpty() && time.nanos() - known.began < COUNTS.toNanos();
            if (!known.found.isDone() || counts) {
                return known.found;
            }
            Run next = new Run(time.nanos(), new CompletableFuture<>());
            if (last.compareAndSet(known, next)) {
                Thread.ofVirtual().name("orderly-ready-" + check.name()).start(() -> next.found.complete(found()));
            }
            return last.get().found;
        }

        /** The reason for not being ready; empty if the check succeeded. */
        private String found() {
            try {
                check.check().run();
                return "";
            } catch (IllegalStateException e) {
                return String.valueOf(e.getMessage());
            } catch (Throwable e) { // every failure means not ready
                LOG.warn("The check of {} failed", check.name(), e);
                return "The check failed; the reason is in the log";
            }
        }
    }

    private record Run(long began, CompletableFuture<String> found) {}

    public Readiness(List<Check> checks, Time time) {
        this(checks, List::of, time);
    }

    /** @param warnings present faults with which the server is ready nevertheless; must not block */
    public Readiness(List<Check> checks, Supplier<List<String>> warnings, Time time) {
        this.time = time;
        this.warnings = warnings;
        this.trials = checks.stream().map(Trial::new).toList();
    }

    /** Makes the server not ready from now on, since it stops. */
    public void stop() {
        stopping = true;
    }

    /**
     * The reason of each failed check, by its name, and an empty text for each other check. Blocks for {@code PATIENCE}
     * at most; not at all once the server stops, which is then the only reason.
     */
    public Map<String, String> results() {
        if (stopping) {
            return Map.of(STOPPING, "The server stops: send new requests elsewhere");
        }
        List<CompletableFuture<String>> runs = trials.stream().map(Trial::run).toList();
        long deadline = time.deadline(PATIENCE);
        Map<String, String> results = new LinkedHashMap<>();
        for (int i = 0; i < runs.size(); i++) {
            results.put(trials.get(i).check.name(), await(runs.get(i), deadline));
        }
        return results;
    }

    /** The reasons of all failed checks, by name; empty if the server is ready. Blocks as {@link #results}. */
    public Map<String, String> failures() {
        Map<String, String> failures = new LinkedHashMap<>(results());
        failures.values().removeIf(String::isEmpty);
        return failures;
    }

    /** The present faults with which the server is ready nevertheless, as lines for an operator. */
    public List<String> warnings() {
        return warnings.get();
    }

    private String await(CompletableFuture<String> run, long deadline) {
        try {
            return run.get(Math.max(1, deadline - time.nanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return "It did not finish within " + PATIENCE.toSeconds() + " s";
        } catch (ExecutionException e) {
            throw new IllegalStateException("A check completes normally", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "The check was interrupted";
        }
    }
}
