package dev.orderly.testkit.contract;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Raises Awaitility's default limit from ten seconds to a minute. Only a failing test waits that long, and a slow
 * machine fails no test. Modules enable it for all their tests, as an extension that JUnit detects by itself.
 */
public final class PatientWaits implements BeforeAllCallback {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
