package dev.orderly.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.Declared;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Cookie;

/** The pages of schedules, nodes, live connections, audit log, configuration and facts, and the settings of a queue. */
class RuntimePagesInTheBrowserTest extends DashboardScenes {
    @Override
    String config() {
        return """
                queues: { mails: { handler: "http://bob:s3cret@127.0.0.1:9/jobs", concurrency: 4 }, reports: {} }
                schedules:
                  digest: { cron: every 3 hours, queue: reports }
                  minutely: { cron: every minute, queue: reports }
                  never: { cron: never, queue: reports }
                  cleanup: { cron: every 7 minutes after the end, queue: reports }
                """;
    }

    /** A queue and two schedules that are gone. */
    @Override
    void seed(Path database) {
        try (SqliteStore store = SqliteStore.at(database)) {
            store.jobs().pause(new QueueName("gone"), true);
            for (String name : List.of("retired", "retired.too")) {
                store.schedules().declare(new ScheduleName(name), Declared.anew("hourly UTC", new NodeId("gone")),
                        Instant.parse("2026-03-01T12:00:00Z"));
            }
        }
    }

    @Test
    void anOperatorForgetsAQueueAndAScheduleThatAreGone() throws Exception {
        signIn("operator", "/queues/gone");
        inspect("/queues/gone");
        browser().eval("document.querySelector('.control button[popovertarget=forget]').click()");
        soon(() -> assertThat(browser().text("#forget")).contains("No list names gone any more", "a push makes it"));
        browser().eval("document.querySelector('#forget .danger').click()");
        soon(() -> assertThat(browser().text("main")).contains("reports").doesNotContain("gone"));
        assertThat(api("GET", "/queues", "").toString()).doesNotContain("gone");
        open("/schedules");
        soon(() -> assertThat(browser().text("#schedules")).contains("retired", "retired.too", "undeclared"));
        inspect("/schedules");
        browser().eval("document.querySelector('.control button[popovertarget=forget-1]').click()");
        soon(() -> assertThat(browser().text("#forget-1")).contains("the jobs that it pushed stay"));
        assertThat(browser().eval(
                "(sheet => sheet.scrollWidth - sheet.clientWidth)(document.querySelector('#forget-1'))"))
                .as("the sheet in a table wraps its text").isEqualTo(0L);
        browser().eval("document.querySelector('#forget-1 .danger').click()");
        soon(() -> assertThat(browser().text("#notices")).contains("retired is forgotten", "jobs that it pushed"));
        soon(() -> assertThat(api("GET", "/schedules", "").path("undeclared").findValuesAsString("schedule"))
                .containsExactly("retired.too"));
        open("/queues/mails");
        assertThat(browser().eval("document.querySelectorAll('#forget').length")).as("declared here").isEqualTo(0L);
        assertThat(api("GET", "/audit?limit=9", "").toString()).contains("forgetQueue", "forgetSchedule");
    }

    @Test
    void thePagesFitEveryWidthInBothThemesWithoutABarrier() throws Exception {
        api("POST", "/schedules/digest/run", "");
        api("PATCH", "/queues/mails", "{\"concurrency\":9}");
        for (String page : new String[]{"/schedules", "/schedules/digest", "/schedules/cleanup", "/nodes", "/live",
                "/live/ann", "/audit",
                "/config", "/about", "/queues/mails"}) {
            inspect(page);
        }
        api("PATCH", "/queues/mails", "{\"concurrency\":null}");
    }

    @Test
    void anOperatorChangesTheSettingsOfAQueueAndResetsThem() throws Exception {
        signIn("operator", "/queues/mails");
        soon(() -> assertThat(browser().text("#settings")).contains("as configured"));
        browser().eval("document.querySelector('#settings .control button').click()");
        soon(() -> assertThat(browser().text("#settings-form")).contains("running jobs end"));
        browser().eval("document.querySelector('[name=concurrency]').value = 7");
        browser().eval("document.querySelector('#settings-form .primary').click()");
        soon(() -> assertThat(browser().text("#notices")).contains("are changed", "concurrency 7"));
        soon(() -> assertThat(browser().text("#settings")).contains("changed", "by token operator"));
        assertThat(api("GET", "/queues/mails", "").path("options").path("concurrency").asInt()).isEqualTo(7);
        browser().eval("document.querySelector('#settings-reset .primary').click()");
        soon(() -> assertThat(browser().text("#settings")).contains("as configured"));
        assertThat(api("GET", "/audit?operation=queueSettings&limit=1", "").toString())
                .contains("/queues/mails/settings");
    }

    @Test
    void aScheduleThatCountsFromTheEndSaysSoWhileARunIsUnderWay() throws Exception {
        signIn("operator", "/schedules/cleanup");
        soon(() -> assertThat(browser().text("#next")).contains("Instant"));
        api("POST", "/schedules/cleanup/run", "");
        soon(() -> assertThat(browser().text("#next")).contains("counts from the end of the run under way"));
        open("/schedules");
        soon(() -> assertThat(browser().text("#schedules")).contains("every 7 minutes after the end", "after the run"));
        assertThat(api("GET", "/schedules/cleanup", "").path("awaitsEnd").asBoolean()).isTrue();
    }

    @Test
    void anOperatorMakesChangesAndRemovesASchedule() throws Exception {
        signIn("operator", "/schedules");
        soon(() -> assertThat(browser().text("main")).contains("New schedule"));
        browser().eval("""
                (form => {
                  form.querySelector('[name=name]').value = 'tenant-7';
                  form.querySelector('[name=cron]').value = 'daily at 07:30';
                  form.querySelector('[name=jitter]').value = '5';
                  form.querySelector('[name=queue]').value = 'reports';
                  form.querySelector('.primary').click();
                })(document.querySelector('#make'))""");
        soon(() -> assertThat(browser().text("#notices")).contains("Schedule tenant-7 is set"));
        soon(() -> assertThat(browser().text("#schedules")).contains("tenant-7", "daily at 07:30"));
        inspect("/schedules/tenant-7");
        open("/schedules/tenant-7");
        soon(() -> assertThat(browser().text("#state")).contains("Made at run time", "by token operator",
                "up to 5 min later"));
        browser().eval("""
                (form => {
                  form.querySelector('[name=cron]').value = 'hourly';
                  form.querySelector('.primary').click();
                })(document.querySelector('#change'))""");
        soon(() -> assertThat(browser().text("#state")).contains("hourly"));
        assertThat(api("GET", "/schedules/tenant-7", "").path("cron").asString()).isEqualTo("hourly");
        browser().eval("document.querySelector('#remove .danger').click()");
        soon(() -> assertThat(browser().text("#schedules")).contains("digest").doesNotContain("tenant-7"));
        assertThat(api("GET", "/audit?operation=setSchedule&limit=1", "").toString()).contains("tenant-7");
    }

    @Test
    void anOperatorPausesAScheduleAndDrainsANode() throws Exception {
        signIn("operator", "/schedules/never");
        browser().eval("document.querySelector('#pause .primary').click()");
        soon(() -> assertThat(browser().text("#state")).contains("paused", "Resume"));
        assertThat(api("GET", "/schedules/never", "").path("paused").isObject()).isTrue();
        open("/nodes");
        browser().eval("document.querySelector('#drain-1 .primary').click()");
        soon(() -> assertThat(browser().text("#nodes")).contains("draining", "Resume"));
        browser().eval("document.querySelector('#resume-1 .primary').click()");
        soon(() -> assertThat(browser().text("#nodes")).contains("running", "Drain"));
    }

    @Test
    void theConfigurationIsSearchedAndItsSecretsAreMasked() throws Exception {
        signIn("operator", "/config?q=queues.mails");
        assertThat(browser().text("main")).contains("queues.mails.concurrency", "file, line", "***")
                .doesNotContain("s3cret", "edge.port");
    }

    @Test
    void theAuditLogIsFilteredAndExported() throws Exception {
        api("POST", "/queues/reports/pause", "");
        api("POST", "/queues/reports/resume", "");
        open("/audit?operation=pause");
        assertThat(browser().text("main")).contains("queue reports").doesNotContain("resume");
        signIn("admin", "/audit");
        Cookie session = browser().cookies().iterator().next();
        String csv = get("/audit/export?format=csv&operation=pause", session).body();
        assertThat(csv).startsWith("id,at,kind,name").contains("\"pause\",\"queue reports\"").doesNotContain("resume");
        assertThat(get("/audit/export?format=ndjson&operation=resume", session).body())
                .contains("\"operation\":\"resume\"");
    }

    @Test
    void aViewerSeesNoControlAndIsRefusedByTheServerToo() throws Exception {
        signIn("viewer", "/nodes");
        Cookie session = browser().cookies().iterator().next();
        String csrf = String.valueOf(browser().eval(
                "JSON.parse(document.body.getAttribute('hx-headers'))['X-CSRF-Token']"));
        for (String page : new String[]{"/nodes", "/schedules/digest", "/live/ann", "/queues/mails"}) {
            open(page);
            assertThat(browser().eval("document.querySelectorAll('.control').length")).as(page).isEqualTo(0L);
        }
        String node = api("GET", "/nodes", "").path("nodes").path(0).path("node").asString();
        for (String action : new String[]{"/nodes/" + node + "/drain", "/schedules/digest/pause",
                "/live/ann/messages", "/queues/mails/settings"}) {
            assertThat(post(action, "", session, csrf).statusCode()).as(action).isEqualTo(403);
        }
        assertThat(get("/config", session).statusCode()).isEqualTo(403);
        assertThat(get("/audit", session).statusCode()).isEqualTo(403);
        assertThat(get("/about", session).statusCode()).isEqualTo(200);
    }
}
