package dev.orderly.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The page of a job in a real browser. */
class JobInTheBrowserTest extends DashboardScenes {
    @Override
    String config() {
        return """
                redact: [password]
                queues:
                  mails: {}
                  asked: { handler: pull }
                  broken: { handler: "http://127.0.0.1:9/", retry: { attempts: 1, base: 1s, max: 1s } }
                  again: { handler: "http://127.0.0.1:9/", retry: { attempts: 9, base: 1h, max: 2h } }
                """;
    }

    private String push(String path, String body) throws Exception {
        return api("POST", "/queues/" + path, body).path("id").asString("");
    }

    private String state(String id) throws Exception {
        return api("GET", "/jobs/" + id, "").path("state").asString("");
    }

    private String ends(String queue, String body, String state) throws Exception {
        String id = push(queue + "/jobs", body);
        soon(() -> assertThat(state(id)).isEqualTo(state));
        return id;
    }

    @Test
    void thePageOfADeadLetterFitsEveryWidthInBothThemesWithoutABarrier() throws Exception {
        String id = ends("broken", "{\"to\":\"ada\",\"password\":\"x\"}", "dead");
        open("/jobs/" + id);
        assertThat(browser().text("#attempts")).contains("failed");
        inspect("/jobs/" + id);
    }

    @Test
    void contentThatTriesToBeMarkupStaysText() throws Exception {
        String attack = "<script>window.broken = 1</script><img src=x onerror=\\\"window.broken = 2\\\">"
                + "</pre></textarea>";
        String id = push("mails/jobs?user=%3Cb%3Eann", "{\"a\":\"" + attack + "\"}");
        open("/jobs/" + id);
        soon(() -> assertThat(browser().eval("document.getElementById('pulse').dataset.state")).isEqualTo("live"));
        assertThat(browser().text("#payload-text")).contains("<script>window.broken", "onerror", "</pre>");
        assertThat(browser().text("#state")).contains("<b>ann");
        assertThat(browser().eval("window.broken === undefined")).isEqualTo(true);
    }

    @Test
    void aLargePayloadIsShownInPartWithAWayToTheWhole() throws Exception {
        String id = push("mails/jobs", "\"" + "x".repeat(200 << 10) + "\"");
        open("/jobs/" + id);
        assertThat(browser().text("#content")).contains("shown in part");
        assertThat(browser().eval("document.querySelector('#payload-text').textContent.length < 20000"))
                .isEqualTo(true);
    }

    @Test
    void aJobThatWaitsForItsRetryIsRunNowAndThePageFollows() throws Exception {
        String id = ends("again", "1", "delayed");
        signIn("operator", "/jobs/" + id);
        soon(() -> assertThat(browser().text("#state")).contains("Run now", "the next begins at"));
        browser().find("#state .control button").click();
        browser().find("#run-now .primary").click();
        soon(() -> assertThat(browser().text("#notices")).contains("The job is due now"));
        soon(() -> assertThat(browser().eval("document.querySelectorAll('#attempts tbody tr').length")).isEqualTo(2L));
    }

    @Test
    void anOperatorSendsTheEventThatAJobAwaits() throws Exception {
        String id = push("asked/jobs", "1");
        String token = api("POST", "/queues/asked/claims", "{\"wait\":\"20s\"}").at("/jobs/0/token").asString("");
        api("POST", "/attempts", "{\"reports\":[{\"id\":\"" + id + "\",\"token\":\"" + token
                + "\",\"report\":\"await\",\"event\":\"approval\",\"timeout\":\"7d\"}]}");
        signIn("viewer", "/jobs/" + id);
        assertThat(browser().text("#events")).contains("approval", "awaited").doesNotContain("Send approval");
        signIn("operator", "/jobs/" + id);
        assertThat(browser().text("#state")).contains("It waits for event approval, until");
        inspect("/jobs/" + id);
        signIn("operator", "/jobs/" + id);
        browser().find("button[popovertarget='event-approval']").click();
        browser().eval("document.querySelector('#event-approval textarea').value = '{oops'");
        browser().find("#event-approval .primary").click();
        soon(() -> assertThat(browser().text("#notices")).contains("The value is no JSON"));
        browser().find("button[popovertarget='event-approval']").click();
        browser().eval("document.querySelector('#event-approval textarea').value = '{\"ok\":true}'");
        browser().eval("document.querySelector('#event-approval input[name=note]').value = 'fine by me'");
        browser().find("#event-approval .primary").click();
        soon(() -> assertThat(browser().text("#notices")).contains("The event is kept"));
        soon(() -> assertThat(state(id)).isEqualTo("waiting"));
        soon(() -> assertThat(browser().text("#events")).contains("came", "fine by me"));
        assertThat(api("GET", "/audit?operation=sendEvent&limit=1", "").toString()).contains(id, "fine by me");
    }

    @Test
    void maskedValuesAreRevealedToAnOperatorOnly() throws Exception {
        String id = push("mails/jobs", "{\"password\":\"hunter2\"}");
        signIn("viewer", "/jobs/" + id);
        assertThat(browser().text("#content")).contains("[masked]", "needs the role operator")
                .doesNotContain("hunter2");
        signIn("operator", "/jobs/" + id);
        browser().find("#content form button").click();
        soon(() -> assertThat(browser().text("#content")).contains("hunter2", "revealed"));
        assertThat(api("GET", "/audit?operation=reveal&limit=1", "").toString()).contains(id);
    }

    @Test
    void aDeadLetterIsPushedAgainWithAnEditedPayload() throws Exception {
        String id = ends("broken", "{\"to\":\"ada\"}", "dead");
        signIn("operator", "/jobs/" + id);
        browser().find("button[popovertarget='push-again']").click();
        browser().eval("document.querySelector('#push-again textarea').value = '{\"to\":'");
        browser().find("#push-again .primary").click();
        soon(() -> assertThat(browser().text("#notices")).contains("not JSON"));
        browser().find("button[popovertarget='push-again']").click();
        browser().eval("document.querySelector('#push-again textarea').value = '{\"to\":\"grace\"}'");
        browser().find("#push-again .primary").click();
        soon(() -> assertThat(browser().text("#notices")).contains("Pushed as a new job"));
        browser().find("#notices a").click();
        soon(() -> assertThat(browser().text("#content")).contains("grace"));
        assertThat(browser().text("#state")).contains("Pushed again from", id);
    }
}
