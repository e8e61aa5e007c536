package dev.orderly.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Cookie;
import org.openqa.selenium.Keys;

/** Search, dead letters by error, groups and bulk operations in a real browser. */
class SearchInTheBrowserTest extends DashboardScenes {
    @Override
    String config() {
        return """
                queues:
                  mails: { handler: "http://127.0.0.1:9/mails", retry: { attempts: 1 } }
                  news: {}
                  "checkout.fifo": {}
                """;
    }

    private String push(String path) throws Exception {
        return api("POST", "/queues/" + path, "1").path("id").asString("");
    }

    /** Dead letters of the queue mails: nothing answers at the address of its handler. */
    private void dead(int count) throws Exception {
        long before = api("GET", "/queues/mails", "").path("jobs").path("dead").asLong();
        for (int n = 0; n < count; n++) {
            push("mails/jobs");
        }
        soon(() -> assertThat(api("GET", "/queues/mails", "").path("jobs").path("dead").asLong())
                .isEqualTo(before + count));
    }

    @Test
    void thePagesFitEveryWidthInBothThemesWithoutABarrier() throws Exception {
        dead(1);
        push("checkout.fifo/jobs?group=ann");
        signIn("operator", "/jobs");
        inspect("/jobs");
        inspect("/queues/mails/dead");
        inspect("/queues/checkout.fifo/groups");
        inspect("/bulk?action=redrive&queue=mails&state=dead");
    }

    @Test
    void theSearchIsItsAddressAndSaysHowFarItCame() throws Exception {
        String wanted = push("news/jobs?user=ada");
        push("news/jobs?user=bob");
        open("/jobs");
        soon(() -> { // the page's script may still be loading
            browser().type("/");
            assertThat(browser().eval("document.activeElement.name")).isEqualTo("q");
        });
        browser().find("input[name=user]").sendKeys("ada", Keys.ENTER);
        soon(() -> assertThat(browser().eval("location.search")).asString().contains("user=ada"));
        assertThat(browser().text("#main")).contains(wanted, "these are all");
        assertThat(browser().eval("document.querySelectorAll('tbody tr').length")).isEqualTo(1L);
        open("/jobs?state=ended");
        assertThat(browser().text("#main")).contains("waiting, delayed, running");
        open("/jobs?q=" + wanted.substring(0, 13));
        assertThat(browser().text("#main")).contains(wanted);
    }

    @Test
    void anOperatorRedrivesADeadLettersErrorAfterSeeingTheCount() throws Exception {
        dead(3);
        long all = api("GET", "/queues/mails", "").path("jobs").path("dead").asLong();
        signIn("operator", "/queues/mails/dead");
        assertThat(browser().text("#errors")).contains("got no answer");
        browser().find("#errors tbody .button").click();
        soon(() -> assertThat(browser().text("#main")).contains(all + " jobs now", "They wait again"));
        browser().find(".control button").click();
        soon(() -> assertThat(browser().eval("location.pathname")).asString().startsWith("/bulk/"));
        soon(() -> assertThat(browser().text("#operations")).contains("done", all + " of " + all));
        assertThat(api("GET", "/audit?operation=bulk&limit=2", "").toString()).contains("/bulk", "started",
                "redriven " + all);
        soon(() -> assertThat(api("GET", "/queues/mails", "").path("jobs").path("dead").asLong()).isEqualTo(all));
    }

    @Test
    void aSelectionIsDeletedByKeyboardAlone() throws Exception {
        List<String> ids = new ArrayList<>();
        for (int n = 0; n < 3; n++) {
            ids.add(push("news/jobs?user=keys"));
        }
        signIn("operator", "/jobs?user=keys");
        for (int n = 0; n < 2; n++) {
            browser().type("j", "x");
        }
        browser().eval("document.querySelector('button[value=cancel]').focus()");
        browser().type(Keys.ENTER);
        soon(() -> assertThat(browser().text("#main")).contains("2 jobs now", "cannot be undone"));
        browser().eval("document.querySelector('.control button').focus()");
        browser().type(Keys.ENTER);
        soon(() -> assertThat(browser().text("form[popover]")).contains("2 jobs"));
        browser().type(Keys.TAB, Keys.ENTER);
        soon(() -> assertThat(browser().text("#operations")).contains("done"));
        assertThat(api("GET", "/jobs?user=keys&state=cancelled", "").path("jobs").size()).isEqualTo(2);
        assertThat(api("GET", "/jobs/" + ids.getFirst(), "").path("state").asString()).isEqualTo("waiting");
    }

    @Test
    void aSelectionThatAnotherOperatorChangedMeanwhileIsRefused() throws Exception {
        for (int n = 0; n < 3; n++) {
            push("news/jobs?user=two");
        }
        signIn("operator", "/bulk?action=cancel&user=two");
        assertThat(browser().text("#main")).contains("3 jobs now");
        for (var job : api("GET", "/jobs?user=two", "").path("jobs")) {
            api("DELETE", "/jobs/" + job.path("id").asString(), "");
        }
        browser().find(".control button").click();
        browser().find("form[popover] .danger").click();
        soon(() -> assertThat(browser().text("#notices")).contains("It has changed meanwhile", "You saw 3 jobs",
                "0 jobs"));
    }

    @Test
    void aViewerSeesNoControlAndIsRefusedByTheServerToo() throws Exception {
        push("news/jobs?user=view");
        signIn("viewer", "/jobs?user=view");
        assertThat(browser().eval("document.querySelectorAll('input[type=checkbox], main a[href*=bulk]').length"))
                .isEqualTo(0L);
        Cookie session = browser().cookies().iterator().next();
        String csrf = String.valueOf(browser().eval(
                "JSON.parse(document.body.getAttribute('hx-headers'))['X-CSRF-Token']"));
        assertThat(post("/bulk", "action=cancel&user=view&seen=1", session, csrf).statusCode()).isEqualTo(403);
        assertThat(api("GET", "/jobs?user=view&state=waiting", "").path("jobs").size()).isEqualTo(1);
    }

    @Test
    void namesThatTryToBeMarkupAreTextAndPagesCanBeReadWithoutScript() throws Exception {
        push("checkout.fifo/jobs?group=%3Cscript%3Ealert(1)%3C%2Fscript%3E&user=%22%3E%3Cb%3Ex");
        browser().script(false);
        try {
            open("/queues/checkout.fifo/groups?order=name");
            assertThat(browser().text("#groups")).contains("<script>alert(1)</script>", "ready");
            open("/jobs?queue=checkout.fifo&user=%22%3E%3Cb%3Ex");
            assertThat(browser().text("tbody")).contains("\"><b>x", "<script>alert(1)</script>");
            assertThat(browser().eval("document.querySelector('input[name=user]').value")).isEqualTo("\"><b>x");
        } finally {
            browser().script(true);
        }
    }
}
