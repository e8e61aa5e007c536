package dev.orderly.web.browser;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.WebDriverException;

/** Tests in one installed Chromium. Where none is this says so and proves nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class InChromium {
    private Optional<Chromium> installed = Optional.empty();

    @BeforeAll
    final void start() throws IOException {
        installed = Chromium.start();
    }

    /** What earlier tests left in the console is not this one's: tests run in any order. */
    @BeforeEach
    final void forgetConsole() {
        installed.ifPresent(Chromium::console);
    }

    @AfterAll
    final void stop() throws IOException {
        if (installed.isPresent()) {
            installed.get().close();
        }
    }

    /** The browser; empty where none is installed. */
    protected final Optional<Chromium> installed() {
        return installed;
    }

    /** A page that is just being replaced has no element to ask: that is no answer yet. */
    public static void soon(ThrowingRunnable claim) {
        await().atMost(Duration.ofSeconds(60)).ignoreExceptionsInstanceOf(WebDriverException.class)
                .untilAsserted(claim);
    }
}
