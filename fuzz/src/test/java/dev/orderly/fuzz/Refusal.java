package dev.orderly.fuzz;

import dev.orderly.web.problem.ProblemException;
import java.util.Optional;
import java.util.concurrent.Callable;

/** What a parser may do with an input that it does not take: say so, and nothing else. */
final class Refusal {
    private Refusal() {}

    /** What a parser reads; empty if it refuses the input in its own words. */
    static <T> Optional<T> orValue(Callable<T> parser) throws Exception {
        try {
            return Optional.of(parser.call());
        } catch (ProblemException e) {
            check(e);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            if (e.getClass() != IllegalArgumentException.class) {
                throw e; // of a library that nobody has asked
            }
            check(e);
            return Optional.empty();
        }
    }

    private static void check(RuntimeException refusal) {
        String message = refusal.getMessage();
        if (message == null || message.isBlank()) {
            throw new AssertionError("A refusal without words", refusal);
        }
    }
}
