package dev.orderly.http.room.page;

import static org.assertj.core.api.Assertions.assertThat;
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

/** Plays scenes in one installed Chromium. Where none is this says so and proves nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BrowserScenes {
    interface Scene {
        void play(Chromium browser, ScriptedRoom room) throws Exception;
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

    @BeforeEach
    void asAPhone() {
        installed.ifPresent(browser -> {
            browser.script(true);
            browser.device(390, 844, 2, false);
        });
    }

    final void play(String language, Scene scene) throws Exception {
        if (installed.isPresent()) {
            try (ScriptedRoom room = new ScriptedRoom(language)) {
                scene.play(installed.get(), room);
                assertThat(installed.get().console()).noneMatch(line -> line.contains("Content Security Policy"));
                installed.get().open("about:blank");
            }
        }
    }

    static void listen(Chromium browser, ScriptedRoom room) {
        browser.open(room.address());
        soon(() -> assertThat(room.isHeard()).isTrue());
    }

    /** A page that is just being replaced has no element to ask: that is no answer yet. */
    static void soon(ThrowingRunnable claim) {
        await().atMost(Duration.ofSeconds(15)).ignoreExceptionsInstanceOf(WebDriverException.class)
                .untilAsserted(claim);
    }
}
