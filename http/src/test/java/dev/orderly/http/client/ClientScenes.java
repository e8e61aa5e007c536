package dev.orderly.http.client;

import static org.awaitility.Awaitility.await;

import dev.orderly.web.browser.Chromium;
import dev.orderly.web.browser.InChromium;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;

/** Plays scenes with the client and a scripted edge. */
abstract class ClientScenes extends InChromium {
    interface Scene {
        void play(Chromium browser, ScriptedEdge edge) throws Exception;
    }

    final void play(Scene scene) throws Exception {
        Chromium browser = browser();
        try (ScriptedEdge edge = new ScriptedEdge()) {
            open(browser, edge.address());
            scene.play(browser, edge);
            leavePage();
        }
    }

    static void open(Chromium browser, String address) {
        browser.open(address);
        loaded(browser);
    }

    static void loaded(Chromium browser) {
        await().atMost(Duration.ofSeconds(60)).until(() -> Boolean.TRUE.equals(browser.eval("!!window.orderly")));
    }

    /** Runs a statement in the page, without waiting for its promise. */
    static void run(Chromium browser, String statement) {
        browser.eval("void (" + statement + ")");
    }

    /** The log of the page so far. */
    static List<String> log(Chromium browser) {
        Object all = browser.eval("log");
        return all instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
    }

    /** Asserts that a claim holds for some seconds, longer than any automatic change takes. */
    static void stays(ThrowingRunnable claim) {
        await().during(Duration.ofSeconds(4)).atMost(Duration.ofSeconds(60)).untilAsserted(claim);
    }
}
