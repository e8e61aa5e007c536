package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.time.Time;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("slow")
class DemoServerTest {
    private static final Pattern ORDER = Pattern.compile("name=\"order\" value=\"([^\"]+)\"");
    private static final DemoServer.Ports FREE = new DemoServer.Ports(0, 0);

    @TempDir
    private Path home = Path.of("");

    @Test
    void withoutACrowdAVisitorEntersAtOnceAndOtherPagesHaveNoRoom() {
        try (DemoServer demo = DemoServer.start(FREE, 0, home); Guest ann = new Guest()) {
            assertThat(ann.get(at(demo, "/")).statusCode()).isEqualTo(200);
            assertThat(ann.get(at(demo, "/style.css")).statusCode()).isEqualTo(200);
            HttpResponse<String> inside = ann.get(at(demo, "/tickets/tin"));
            assertThat(inside.statusCode()).isEqualTo(200);
            assertThat(inside.headers().allValues("Set-Cookie"))
                    .anyMatch(cookie -> cookie.startsWith("orderly_p_sale="));
            assertThat(demo.guide()).contains("http://127.0.0.1:" + demo.port(), "room hold sale",
                    "http://127.0.0.1:" + demo.adminPort());
        }
    }

    @Test
    void withAnOpeningToComeAVisitorIsInTheLobby() {
        Openings later = new Openings(List.of(new Opening(Time.system().now().plusSeconds(3_000).atZone(ZoneOffset.UTC),
                Duration.ofHours(1), null, 1)), false);
        try (DemoServer demo = DemoServer.start(FREE, 0, later, home); Guest ann = new Guest()) {
            HttpResponse<String> answer = ann.get(at(demo, "/tickets/tin"));
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(JsonMapper.shared().readTree(answer.body()).path("state").asString()).isEqualTo("lobby");
        }
    }

    @Test
    void behindACrowdAVisitorWaitsGetsInAndBuysAndTheOrderGoesThrough() {
        try (DemoServer demo = DemoServer.start(FREE, 150, home); Guest ann = new Guest()) {
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> room(demo, ann).path("waiting").asInt() > 40);

            HttpResponse<String> answer = ann.get(at(demo, "/tickets/tin"));
            assertThat(answer.statusCode()).isEqualTo(503);
            JsonNode waiting = JsonMapper.shared().readTree(answer.body());
            assertThat(waiting.path("ahead").asInt()).isGreaterThan(20);
            long place = waiting.path("place").asLong();

            String page = await().atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofSeconds(2)).until(() -> {
                HttpResponse<String> again = ann.get(at(demo, "/tickets/tin"));
                if (again.statusCode() == 503) {
                    assertThat(JsonMapper.shared().readTree(again.body()).path("place").asLong()).isEqualTo(place);
                }
                return again.body();
            }, body -> body.contains("Buy tickets"));

            Matcher order = ORDER.matcher(page);
            assertThat(order.find()).isTrue();
            HttpResponse<String> bought = ann.post(at(demo, "/tickets/tin"), "order=" + order.group(1)
                    + "&tickets=1&name=Ann&mail=ann%40example.com&card=ANY");
            assertThat(bought.statusCode()).isEqualTo(303);
            String location = bought.headers().firstValue("Location").orElseThrow();
            await().atMost(Duration.ofSeconds(90)).until(() -> ann.get(at(demo, location)).body(),
                    body -> body.contains("You are going!"));
            JsonNode room = room(demo, ann);
            assertThat(room.path("active").asInt()).isLessThanOrEqualTo(room.at("/limits/configured/capacity").asInt());
        }
    }

    @Test
    void behindTheScenesTheRoomIsOperatedAndEachJobLinksToItsPage() {
        try (DemoServer demo = DemoServer.start(FREE, 0, home); Guest ann = new Guest()) {
            String scenes = await().atMost(Duration.ofMinutes(1)).until(
                    () -> ann.get(at(demo, "/behind-the-scenes")).body(), page -> page.contains("/jobs/"));
            assertThat(scenes).contains("The line at the door", " of 120", "Hold the line",
                    "<a href=\"http://127.0.0.1:" + demo.adminPort() + "/jobs/");

            assertThat(ann.post(at(demo, "/behind-the-scenes/hold"), "").statusCode()).isEqualTo(303);
            await().atMost(Duration.ofMinutes(1)).until(() -> ann.get(at(demo, "/behind-the-scenes")).body(),
                    page -> page.contains("Let visitors in again"));
            assertThat(room(demo, ann).path("mode").asString()).isEqualTo("hold");
            assertThat(ann.post(at(demo, "/behind-the-scenes/auto"), "").statusCode()).isEqualTo(303);
            assertThat(room(demo, ann).path("mode").asString()).isEqualTo("auto");
            assertThat(ann.post(at(demo, "/behind-the-scenes/admit"), "").statusCode()).isEqualTo(303);
        }
    }

    @Test
    void theDashboardFindsAHaltedGroupDeadLettersOfSeveralKindsDelayedJobsAndTwoSchedules() {
        try (DemoServer demo = DemoServer.start(FREE, 0, home); Guest ann = new Guest()) {
            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
                assertThat(jobs(demo, ann, "posters", "dead").findValuesAsString("summary"))
                        .anyMatch(text -> text.contains("There is no town"))
                        .anyMatch(text -> text.contains("Printer 4"));
                assertThat(jobs(demo, ann, "refunds.fifo", "dead").findValuesAsString("summary"))
                        .singleElement().asString().contains("has expired");
                assertThat(jobs(demo, ann, "refunds.fifo", "waiting").findValuesAsString("group"))
                        .as("behind the dead letter").containsExactly("dana", "dana");
                assertThat(jobs(demo, ann, "reminders", "delayed").findValuesAsString("id")).hasSize(6);
            });
            assertThat(api(demo, ann, "/schedules").findValuesAsString("schedule")).contains("nightly-report",
                    "seat-count");
            assertThat(demo.guide()).contains("dashboard    http://127.0.0.1:" + demo.adminPort() + "/login/");
        }
    }

    private static JsonNode jobs(DemoServer demo, Guest guest, String queue, String state) {
        return api(demo, guest, "/queues/" + queue + "/jobs?state=" + state);
    }

    private static JsonNode api(DemoServer demo, Guest guest, String path) {
        return JsonMapper.shared().readTree(
                guest.get(URI.create("http://127.0.0.1:" + demo.adminPort() + "/api/v1" + path), demo.localAccess())
                        .body());
    }

    private static JsonNode room(DemoServer demo, Guest guest) {
        return api(demo, guest, "/rooms/sale");
    }

    private static URI at(DemoServer demo, String path) {
        return URI.create("http://127.0.0.1:" + demo.port() + path);
    }
}
