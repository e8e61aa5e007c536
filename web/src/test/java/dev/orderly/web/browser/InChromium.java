package dev.orderly.web.browser;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.WebDriverException;

/** Tests in one installed Chromium. Where none is, those that ask for it are skipped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class InChromium {
    private @Nullable Chromium started;

    /** What earlier tests left in the console is not this one's: tests run in any order. */
    @BeforeEach
    final void forgetConsole() {
        if (started != null) {
            started.console();
        }
    }

    @AfterAll
    final void stop() {
        if (started != null) {
            started.close();
        }
    }

    /** The browser of the class, which its first use starts. */
    protected final Chromium browser() {
        if (started == null) {
            try {
                started = Chromium.start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return started;
    }

    /** Ends the page and its connections. */
    protected final void leavePage() {
        if (started != null) {
            started.open("about:blank");
        }
    }

    /** A page that is just being replaced has no element to ask: that is no answer yet. */
    public static void soon(ThrowingRunnable claim) {
        await().atMost(Duration.ofSeconds(60)).ignoreExceptionsInstanceOf(WebDriverException.class)
                .untilAsserted(claim);
    }
}
