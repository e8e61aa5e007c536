package dev.orderly.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.servlet.dashboard.DashboardApp;
import dev.orderly.web.browser.Chromium;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.browser.InChromium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The pages below a context path in a browser. */
class PagesInTheBrowserTest extends InChromium {
    private static void keep(Chromium browser, String name) throws IOException {
        Path folder = Path.of("target", "pictures");
        Files.createDirectories(folder);
        Files.write(folder.resolve(name + ".png"), browser.screenshot(true));
    }

    @Test
    void aVisitorWaitsAndEntersWithoutAClick() throws IOException {
        Chromium browser = browser();
        try (RoomApp app = new RoomApp(Container.Kind.TOMCAT, "/shop")) {
            Guest first = Guest.inside(app);
            browser.open(app.url("/tickets/"));
            soon(() -> {
                app.pass(1);
                assertThat(browser.text("#place")).contains("2");
                assertThat(browser.text("#note")).isNotEmpty();
            });
            keep(browser, "waiting");

            first.call("DELETE", "ticket");
            soon(() -> {
                app.pass(1);
                assertThat(browser.text("body")).contains("application /shop/tickets/");
            });
        }
    }

    @Test
    void anOperatorPausesAQueueInTheMountedDashboard() throws IOException {
        Chromium browser = browser();
        try (DashboardApp app = new DashboardApp(Container.Kind.TOMCAT, DashboardApp.byName(), "operator-olga")) {
            app.orderly.queue("emails", String.class);
            browser.open(app.url(DashboardApp.PATH + "/queues/emails"));
            assertThat(browser.eval("getComputedStyle(document.body).margin")).isNotNull();
            browser.find(".control:has(form[hx-post$='/pause']) > button").click();
            browser.find("form[hx-post$='/pause'] button.primary").click();
            soon(() -> assertThat(app.isPaused("emails")).isTrue());
            soon(() -> assertThat(browser.text("body")).contains("paused"));
            keep(browser, "dashboard");
            assertThat(browser.console()).as("errors of the console").filteredOn(line -> line.contains(app.url("")))
                    .isEmpty();
        }
    }
}
