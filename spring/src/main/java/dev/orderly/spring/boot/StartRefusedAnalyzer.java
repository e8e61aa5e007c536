package dev.orderly.spring.boot;

import dev.orderly.spring.StartRefusedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a mistake in the application's configuration. */
final class StartRefusedAnalyzer extends AbstractFailureAnalyzer<StartRefusedException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StartRefusedException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.remedy(), rootFailure);
    }
}
