package dev.orderly.spring.boot;

import dev.orderly.store.StoreException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains that the store does not open. */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StoreException cause) {
        String remedy = switch (cause) {
            case StoreException.Unusable _ ->
                "A repetition will not help: use the version that wrote the data or a newer"
                        + " one, or another place for the jobs (orderly.store, orderly.postgres.schema).";
            case StoreException.Unavailable _,StoreException.OutcomeUnknown _ -> "Check that the store can be reached"
                    + " and written, and that no other process owns its file; then start again.";
        };
        return new FailureAnalysis("The store of Orderly does not open: " + cause.getMessage(), remedy, rootFailure);
    }
}
