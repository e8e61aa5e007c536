package dev.orderly.http.client;

import static org.awaitility.Awaitility.await;

import dev.orderly.http.room.page.Chromium;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.WebDriverException;

/** Plays scenes with the client in one installed Chromium. Where none is this says so and proves nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClientScenes {
    interface Scene {
        void play(Chromium browser, ScriptedEdge edge) throws Exception;
    }

    private Optional<Chromium> installed = Optional.empty();

    @BeforeAll
    void start() throws IOException {
        installed = Chromium.start();
    }

    @AfterAll
    void stop() throws IOException {
        if (installed.isPresent()) {
            installed.get().close();
        }
    }

    final void play(Scene scene) throws Exception {
        if (installed.isPresent()) {
            try (ScriptedEdge edge = new ScriptedEdge()) {
                open(installed.get(), edge.address());
                scene.play(installed.get(), edge);
                installed.get().open("about:blank");
            }
        }
    }

    static void open(Chromium browser, String address) {
        browser.open(address);
        loaded(browser);
    }

    static void loaded(Chromium browser) {
        await().atMost(Duration.ofSeconds(15)).until(() -> Boolean.TRUE.equals(browser.eval("!!window.orderly")));
    }

    /** Runs a statement in the page, without waiting for what it promises. */
    static void run(Chromium browser, String statement) {
        browser.eval("void (" + statement + ")");
    }

    /** What the page was told so far. */
    static List<String> log(Chromium browser) {
        Object all = browser.eval("log");
        return all instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
    }

    static void soon(ThrowingRunnable claim) {
        await().atMost(Duration.ofSeconds(15)).ignoreExceptionsInstanceOf(WebDriverException.class)
                .untilAsserted(claim);
    }

    /** Holds for some seconds, long enough for what would come by itself. */
    static void stays(ThrowingRunnable claim) {
        await().during(Duration.ofSeconds(4)).atMost(Duration.ofSeconds(8)).untilAsserted(claim);
    }
}
