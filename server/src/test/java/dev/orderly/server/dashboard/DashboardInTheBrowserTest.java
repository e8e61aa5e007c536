package dev.orderly.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openqa.selenium.Cookie;
import org.openqa.selenium.Keys;

/** The frame of all pages, the overview and the pages of queues in a real browser. */
class DashboardInTheBrowserTest extends DashboardScenes {
    @Override
    String config() {
        return """
                limits: { crm-api: { concurrency: 20, rate: 100 per 10s } }
                queues: { mails: {}, letters: { limit: crm-api }, "checkout.fifo": {} }
                rooms: { sale: { match: [/sale/**], capacity: 10 } }
                """;
    }

    @Test
    void theOverviewAndTheQueuesFitEveryWidthInBothThemesWithoutABarrier() throws Exception {
        api("POST", "/queues/mails/jobs", "1");
        api("POST", "/queues/checkout.fifo/jobs?group=ann", "1");
        open("/");
        inspect("/");
        inspect("/queues");
        inspect("/queues/mails");
        inspect("/queues/letters");
        inspect("/queues/nowhere");
    }

    @Test
    void anOpenPageFollowsTheWorldWithoutAReload() throws Exception {
        open("/queues/checkout.fifo");
        browser().eval("window.same = true");
        soon(() -> assertThat(browser().text("#pulse")).isEqualTo("Live"));
        api("POST", "/queues/checkout.fifo/jobs?group=bob", "7");
        soon(() -> assertThat(browser().text("#next")).contains("bob"));
        assertThat(browser().eval("window.same")).isEqualTo(true);
    }

    @Test
    void anOperatorPausesAndTakesItBackByKeyboardAlone() throws Exception {
        signIn("operator", "/queues/mails");
        browser().eval("document.querySelector('#state .control button').focus()");
        browser().type(Keys.ENTER);
        soon(() -> assertThat(browser().text("form[popover]")).contains("No node claims from mails"));
        browser().type(Keys.TAB, Keys.ENTER);
        soon(() -> assertThat(browser().text("#notices")).contains("mails is paused"));
        soon(() -> assertThat(browser().text("#state")).contains("paused", "Resume"));
        assertThat(browser().eval("document.activeElement.textContent")).isEqualTo("Resume");
        browser().eval("document.querySelector('#notices form button').focus()");
        browser().type(Keys.ENTER);
        soon(() -> assertThat(browser().text("#state")).contains("Pause").doesNotContain("paused"));
        assertThat(api("GET", "/audit?operation=pause&limit=1", "").toString()).contains("/queues/mails/pause");
    }

    @Test
    void anOperatorChangesTheBoundsOfALimitAndResetsThem() throws Exception {
        signIn("operator", "/queues");
        soon(() -> assertThat(browser().text("#limits")).contains("crm-api", "of 20"));
        browser().eval("""
                (form => {
                  form.querySelector('[name=concurrency]').value = '7';
                  form.querySelector('.primary').click();
                })(document.querySelector('#limit-0'))""");
        soon(() -> assertThat(browser().text("#notices")).contains("Limit crm-api is changed", "concurrency 7"));
        soon(() -> assertThat(browser().text("#limits")).contains("set by hand", "of 7"));
        assertThat(api("GET", "/limits/crm-api", "").at("/override/changedBy").asString()).contains("operator");
        browser().eval("document.querySelector('#limit-reset-0 .primary').click()");
        soon(() -> assertThat(browser().text("#limits")).contains("of 20").doesNotContain("set by hand"));
        assertThat(api("GET", "/audit?operation=limitSettings&limit=1", "").toString()).contains("as declared");
    }

    @Test
    void anOperatorPausesAKeyAndChangesItsBounds() throws Exception {
        api("PATCH", "/queues/mails/keys/a%2F%22b%22", "{\"concurrency\":7}");
        signIn("operator", "/queues/mails");
        soon(() -> assertThat(browser().text("#keys")).contains("a/\"b\"", "0 of 7", "set by hand"));
        browser().eval("document.querySelector('#key-pause-0 .primary').click()");
        soon(() -> assertThat(browser().text("#notices")).contains("a/\"b\" is paused"));
        soon(() -> assertThat(browser().text("#keys")).contains("paused", "Resume"));
        browser().eval("""
                (form => {
                  form.querySelector('[name=concurrency]').value = '9';
                  form.querySelector('.primary').click();
                })(document.querySelector('#key-bounds-0'))""");
        soon(() -> assertThat(browser().text("#keys")).contains("0 of 9", "paused"));
        browser().eval("document.querySelector('#key-reset-0 .primary').click()");
        soon(() -> assertThat(browser().text("#keys")).contains("paused").doesNotContain("of 9"));
        browser().eval("document.querySelector('#key-resume-0 .primary').click()");
        soon(() -> assertThat(browser().text("#notices")).contains("goes on"));
        assertThat(api("GET", "/audit?operation=resumeKey&limit=1", "").toString()).contains("of queue mails");
    }

    @Test
    void aFormThatShowedAnotherStateIsRefusedWithWhatChanged() throws Exception {
        signIn("operator", "/queues/mails");
        soon(() -> assertThat(browser().text("#state")).contains("Pause"));
        browser().find("#state .control button").click();
        api("POST", "/queues/mails/pause", "");
        browser().find("form[popover] .primary").click();
        soon(() -> assertThat(browser().text("#notices")).contains("It has changed meanwhile", "\"paused\"",
                "the last change (pause)"));
        api("POST", "/queues/mails/resume", "");
    }

    @Test
    void anOpenFormKeepsWhatItShowsAndThePageCatchesUpWhenItCloses() throws Exception {
        signIn("operator", "/queues/letters");
        browser().find("#state .control button").click();
        api("POST", "/queues/letters/pause", "");
        api("PATCH", "/queues/letters", "{\"maxPending\":7}");
        soon(() -> assertThat(browser().text("#settings")).contains("changed")); // the state was sent before
        assertThat(browser().text("#pause")).contains("No node claims from letters");
        browser().find("#pause .quiet").click();
        soon(() -> assertThat(browser().text("#state")).contains("paused", "Resume"));
    }

    @Test
    void aViewerSeesNoControlAndIsRefusedByTheServerToo() throws Exception {
        signIn("viewer", "/queues/mails");
        assertThat(browser().eval("document.querySelectorAll('.control').length")).isEqualTo(0L);
        Cookie session = browser().cookies().iterator().next();
        String csrf = String.valueOf(browser().eval(
                "JSON.parse(document.body.getAttribute('hx-headers'))['X-CSRF-Token']"));
        assertThat(post("/queues/mails/pause", "", session, "wrong").statusCode()).isEqualTo(403);
        var refused = post("/queues/mails/pause", "", session, csrf);
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("notice bad", "operator");
        assertThat(api("GET", "/queues/mails", "").path("paused").asBoolean()).isFalse();
    }

    @Test
    void thePagesCanBeReadWithoutScript() {
        browser().script(false);
        try {
            open("/queues");
            assertThat(browser().text("#queues")).contains("mails", "checkout.fifo");
            assertThat(browser().find("#pulse").isDisplayed()).isFalse();
        } finally {
            browser().script(true);
        }
    }

    @Test
    void theKeyboardReachesSectionsSearchAndRows() {
        open("/");
        soon(() -> assertThat(browser().text("#pulse")).isEqualTo("Live"));
        browser().type("?");
        soon(() -> assertThat(browser().text("#keys")).contains("Next, previous row"));
        browser().type(Keys.ESCAPE, "gq");
        soon(() -> assertThat(browser().eval("location.pathname")).isEqualTo("/queues"));
        soon(() -> assertThat(browser().text("#pulse")).isEqualTo("Live"));
        browser().type("j");
        assertThat(browser().eval("document.activeElement.textContent")).isEqualTo("checkout.fifo");
        browser().type("j", "k", "/");
        assertThat(browser().eval("document.activeElement.id")).isEqualTo("find");
    }
}
