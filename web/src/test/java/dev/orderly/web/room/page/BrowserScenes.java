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
        browser().script(true);
        browser().device(390, 844, 2, false);
    }

    final void play(String language, Scene scene) throws Exception {
        try (ScriptedRoom room = new ScriptedRoom(language)) {
            scene.play(browser(), room);
            assertThat(browser().console()).noneMatch(line -> line.contains("Content Security Policy"));
            leavePage();
        }
    }

    static void listen(Chromium browser, ScriptedRoom room) {
        browser.open(room.address());
        soon(() -> assertThat(room.isHeard()).isTrue());
    }
}
