package dev.orderly.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openqa.selenium.Cookie;
import tools.jackson.databind.JsonNode;

/** The pages of batches, and the links between a batch and its jobs. */
class BatchesInTheBrowserTest extends DashboardScenes {
    @Override
    String config() {
        return """
                queues:
                  mails: { handler: pull }
                  reports: { handler: pull }
                  broken: { handler: "http://127.0.0.1:9/", retry: { attempts: 1, base: 1s, max: 1s } }
                """;
    }

    private void openBatch(String name, String whenDead) throws Exception {
        api("POST", "/batches",
                "{\"batch\":\"" + name + "\",\"queue\":\"reports\",\"whenDead\":\"" + whenDead + "\"}");
    }

    private String push(String queue, String batch) throws Exception {
        return api("POST", "/queues/" + queue + "/jobs?batch=" + batch, "1").path("id").asString("");
    }

    private JsonNode batch(String name) throws Exception {
        return api("GET", "/batches/" + name, "");
    }

    @Test
    void thePagesFitEveryWidthInBothThemesWithoutABarrier() throws Exception {
        inspect("/batches");
        String name = "a-name-of-eighty-characters-" + "x".repeat(52);
        openBatch(name, "wait");
        push("mails", name);
        push("broken", name);
        soon(() -> assertThat(batch(name).path("counts").path("dead").asInt()).isEqualTo(1));
        inspect("/batches");
        inspect("/batches/" + name);
    }

    @Test
    void anOperatorClosesABatchAndFollowsItToItsCallback() throws Exception {
        openBatch("import-1", "finish");
        String member = push("broken", "import-1");
        signIn("operator", "/batches");
        soon(() -> assertThat(browser().text("#batches")).contains("import-1", "open", "100"));
        open("/batches/import-1");
        soon(() -> assertThat(browser().text("#dead")).contains(member));
        press("close");
        browser().find("#close .primary").click();
        soon(() -> assertThat(browser().text("#notices")).contains("Batch import-1 is closed", "callback is pushed"));
        soon(() -> assertThat(browser().text("#state")).contains("finished", "Finished, ago"));
        assertThat(browser().eval("document.querySelectorAll('main .control').length")).isEqualTo(0L);
        String callback = batch("import-1").path("callback").asString("");
        assertThat(browser().text("#state")).contains(callback);
        open("/jobs/" + callback);
        assertThat(browser().text("#state")).contains("Callback of batch", "import-1", "finished");
        browser().find("a[href='/batches/import-1']").click();
        soon(() -> assertThat(browser().text("h1")).isEqualTo("import-1"));
        open("/jobs/" + member);
        assertThat(browser().text("#state")).contains("Member of batch", "import-1");
        assertThat(api("GET", "/audit?operation=closeBatch&limit=9", "").toString()).contains("batch import-1",
                "/batches/import-1/close");
    }

    @Test
    void anOperatorCancelsABatchAndAFormThatIsOutOfDateIsRefused() throws Exception {
        openBatch("import-2", "finish");
        push("mails", "import-2");
        signIn("operator", "/batches/import-2");
        assertThat(browser().text("#state .why")).contains("The batch is open", "1 waits", "orderly batch close");
        assertThat(browser().text("#left")).contains("mails", "waiting");
        press("cancel");
        assertThat(browser().text("#cancel")).contains("The callback comes all the same");
        Cookie session = browser().cookies().iterator().next();
        String csrf = String.valueOf(browser().eval(
                "JSON.parse(document.body.getAttribute('hx-headers'))['X-CSRF-Token']"));
        assertThat(post("/batches/import-2/cancel", "seen=closed", session, csrf).statusCode()).isEqualTo(409);
        assertThat(batch("import-2").path("state").asString("")).isEqualTo("open");
        browser().find("#cancel .danger").click();
        soon(() -> assertThat(browser().text("#notices")).contains("Batch import-2 is cancelled"));
        soon(() -> assertThat(browser().text("#state")).contains("finished", "Cancelled, ago"));
        assertThat(batch("import-2").path("counts").path("cancelled").asInt()).isEqualTo(1);
        assertThat(api("GET", "/audit?operation=cancelBatch&limit=9", "").toString()).contains("batch import-2");
    }

    @Test
    void aViewerSeesNoControlAndIsRefusedByTheServerToo() throws Exception {
        openBatch("import-3", "finish");
        signIn("viewer", "/batches/import-3");
        assertThat(browser().eval("document.querySelectorAll('main .control').length")).isEqualTo(0L);
        Cookie session = browser().cookies().iterator().next();
        String csrf = String.valueOf(browser().eval(
                "JSON.parse(document.body.getAttribute('hx-headers'))['X-CSRF-Token']"));
        assertThat(post("/batches/import-3/close", "seen=open", session, csrf).statusCode()).isEqualTo(403);
        assertThat(get("/batches/unknown", session).statusCode()).isEqualTo(404);
        assertThat(get("/batches?below=x", session).statusCode()).isEqualTo(422);
    }
}
