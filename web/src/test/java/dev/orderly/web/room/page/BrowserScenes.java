package dev.orderly.web.room.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.web.browser.Chromium;
import dev.orderly.web.browser.InChromium;
import org.junit.jupiter.api.BeforeEach;

/** Plays scenes with the page of a scripted room. */
abstract class BrowserScenes extends InChromium {
    interface Scene {
        void play(Chromium browser, ScriptedRoom room) throws Exception;
    }

    @BeforeEach
    void asAPhone() {
        installed().ifPresent(browser -> {
            browser.script(true);
            browser.device(390, 844, 2, false);
        });
    }

    final void play(String language, Scene scene) throws Exception {
        if (installed().isPresent()) {
            try (ScriptedRoom room = new ScriptedRoom(language)) {
                scene.play(installed().get(), room);
                assertThat(installed().get().console()).noneMatch(line -> line.contains("Content Security Policy"));
                installed().get().open("about:blank");
            }
        }
    }

    static void listen(Chromium browser, ScriptedRoom room) {
        browser.open(room.address());
        soon(() -> assertThat(room.isHeard()).isTrue());
    }
}
