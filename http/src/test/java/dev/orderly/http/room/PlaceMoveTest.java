package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.Rate;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.web.browser.Guest;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A place that moves to another device by a one-time link. */
class PlaceMoveTest {
    private static final String BASE = "/.orderly/rooms/sale/";
    private static final String HTML = "text/html,*/*;q=0.8";
    private static final Pattern DEVICE = Pattern.compile("name=\"device\" value=\"([^\"]+)\"");

    private final RoomNode node = new RoomNode(RoomNode.ONE_INSIDE.withMove(true)
            .withAddresses(new AddressLimits(new Rate(8, Duration.ofMinutes(1)), null, null)));
    private final Guest inside = Guest.inside(node);
    private final Guest desktop = new Guest(node);
    private final Guest phone = new Guest(node);

    @AfterEach
    void close() {
        node.close();
    }

    private static int place(HttpResponse<String> answer) {
        return Guest.json(answer).path("place").asInt();
    }

    private String link(Guest guest) {
        HttpResponse<String> answer = guest.call("POST", "link?back=%2Ftickets%2Fa%3Fshow%3D7");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return Guest.json(answer).path("link").asString();
    }

    private HttpRequest.Builder form(String call, String fields) {
        return node.at(BASE + call).header("Accept", HTML).header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(fields));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private HttpRequest.Builder taking(String link, String device) {
        return form("move", "link=" + encoded(link) + "&device=" + device + "&back=%2Ftickets%2Fa%3Fshow%3D7");
    }

    /** The value of a new page that asks. */
    private String device(Guest guest) {
        HttpResponse<String> page = guest.send(node.at(BASE + "move?back=%2Ftickets%2Fa").header("Accept", HTML).GET());
        assertThat(page.statusCode()).isEqualTo(200);
        Matcher found = DEVICE.matcher(page.body());
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    private HttpResponse<String> take(Guest guest, String link) {
        return guest.send(taking(link, device(guest)));
    }

    @Test
    void aLinkMovesThePlaceOnceAndTheFormerDeviceSaysSo() {
        assertThat(place(desktop.get("/tickets/a"))).isEqualTo(2);
        String link = link(desktop);
        assertThat(URI.create(link)).hasPath(BASE + "move").hasFragment(link.substring(link.indexOf('#') + 1));
        assertThat(place(desktop.get("/tickets/a"))).as("a link that nobody used changes nothing").isEqualTo(2);

        HttpResponse<String> taken = take(phone, link);
        assertThat(taken.statusCode()).isEqualTo(303);
        assertThat(taken.headers().firstValue("Location")).contains("/tickets/a?show=7");
        assertThat(taken.headers().firstValue("Set-Cookie").orElseThrow()).contains("HttpOnly", "SameSite=Lax");
        assertThat(place(phone.get("/tickets/a"))).isEqualTo(2);

        HttpResponse<String> former = desktop.page("/tickets/a?x=1", "en");
        assertThat(former.statusCode()).isEqualTo(410);
        assertThat(former.body()).contains("Your place was moved", "value=\"/tickets/a?x&#x3D;1\"");
        assertThat(desktop.get("/tickets/a").body()).contains("urn:orderly:problem:place-moved");
        assertThat(desktop.call("GET", "ticket").statusCode()).isEqualTo(410);
        assertThat(take(new Guest(node), link).statusCode()).as("a link counts once").isEqualTo(410);

        inside.call("DELETE", "ticket");
        node.pass(2);
        assertThat(node.room().state().line().length()).as("the former device took no place").isEqualTo(2);
        assertThat(phone.get("/tickets/a").statusCode()).isEqualTo(200);
        assertThat(desktop.get("/tickets/a").statusCode()).isEqualTo(410);
    }

    @Test
    void theFormerDeviceCannotGiveThePlaceBackAndTakesANewPlaceByAButton() {
        desktop.get("/tickets/a");
        take(phone, link(desktop));
        desktop.call("DELETE", "ticket");
        assertThat(place(phone.get("/tickets/a"))).isEqualTo(2);

        take(desktop, link(phone));
        assertThat(place(desktop.get("/tickets/a"))).as("a place moves back").isEqualTo(2);
        HttpResponse<String> anew = phone.send(form("ticket", "action=anew&back=%2Ftickets%2Fa"));
        assertThat(anew.statusCode()).isEqualTo(303);
        assertThat(anew.headers().firstValue("Location")).contains("/tickets/a");
        assertThat(place(phone.get("/tickets/a"))).isEqualTo(3);
    }

    @Test
    void aRequestThatIsSentAgainGetsTheSamePlace() {
        desktop.get("/tickets/a");
        String link = link(desktop);
        String device = device(phone);
        node.store.failNext(FaultyStore.Call.ROOM_MOVE, FaultyStore.Fault.AFTER, 1);
        assertThat(phone.send(taking(link, device)).statusCode()).isEqualTo(303);
        assertThat(new Guest(node).send(taking(link, device(phone))).statusCode()).isEqualTo(410);
        Guest again = new Guest(node);
        assertThat(again.send(taking(link, device)).statusCode()).isEqualTo(303);
        assertThat(place(again.get("/tickets/a"))).isEqualTo(2);
    }

    @Test
    void aLinkOfAnUnreachableStoreStaysGood() {
        desktop.get("/tickets/a");
        String link = link(desktop);
        node.store.failNext(FaultyStore.Call.ROOM_MOVE, FaultyStore.Fault.BEFORE, 1);
        assertThat(take(phone, link).statusCode()).isEqualTo(503);
        node.pass(2);
        assertThat(take(phone, link).statusCode()).isEqualTo(303);
    }

    @Test
    void aLinkThatIsOldForgedOrOfAUsedTicketGetsOneAnswer() {
        desktop.get("/tickets/a");
        String link = link(desktop);
        String ticket = desktop.cookies.get("orderly_t_sale");
        String used = take(phone, link).statusCode() == 303 ? link : "";
        String body = take(new Guest(node), used).body();
        String fresh = link(phone);
        assertThat(body).contains("This link does not work");
        assertThat(take(new Guest(node), fresh + "x").body()).isEqualTo(body);
        assertThat(take(new Guest(node), "#" + ticket).body()).as("a ticket is no link").isEqualTo(body);
        assertThat(take(new Guest(node), "").body()).isEqualTo(body);
        for (int minute = 0; minute < 5; minute++) {
            node.pass(60);
            inside.get("/tickets/a");
        }
        assertThat(take(new Guest(node), fresh).body()).isEqualTo(body);
        assertThat(phone.get("/tickets/a").statusCode()).isEqualTo(503);
        assertThat(place(phone.get("/tickets/a"))).isEqualTo(2);
    }

    @Test
    void aLinkIsNeitherTicketNorPass() {
        desktop.get("/tickets/a");
        String secret = link(desktop).replaceAll(".*#", "");
        HttpResponse<String> answer = new Guest(node).send(node.at("/tickets/a").header("Accept", "application/json")
                .header("Authorization", "Orderly " + secret).GET());
        assertThat(place(answer)).isEqualTo(3);
    }

    @Test
    void aFormOfAnotherSiteMovesAndDropsNothing() {
        desktop.get("/tickets/a");
        String link = link(desktop);
        String device = device(phone);
        for (String[] header : new String[][]{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"},
                {"Sec-Fetch-Site", "same-site"}, {"Origin", "null"}}) {
            HttpResponse<String> refused = phone.send(taking(link, device).header(header[0], header[1]));
            assertThat(refused.statusCode()).as(header[1]).isEqualTo(403);
            HttpResponse<String> kept = desktop.send(form("ticket", "action=leave").header(header[0], header[1]));
            assertThat(kept.statusCode()).isEqualTo(403);
        }
        assertThat(phone.cookies).isEmpty();
        assertThat(place(desktop.get("/tickets/a"))).isEqualTo(2);
        assertThat(phone.send(taking(link, device).header("Sec-Fetch-Site", "same-origin").header("Origin", "null"))
                .statusCode()).isEqualTo(303);
    }

    @Test
    void aPageToGoOnToIsAPathOfThisHost() {
        desktop.get("/tickets/a");
        for (String elsewhere : new String[]{"https://evil.example/", "//evil.example", "/\\evil.example", "/a b",
                "x".repeat(3_000)}) {
            Guest taker = new Guest(node);
            String link = link(desktop);
            HttpResponse<String> taken = taker.send(form("move", "link=" + encoded(link) + "&back="
                    + encoded(elsewhere)));
            assertThat(taken.headers().firstValue("Location")).as(elsewhere).contains("/");
            desktop.cookies.putAll(taker.cookies);
        }
    }

    @Test
    void linksAreTakenAsOftenAsPlaces() {
        desktop.get("/tickets/a");
        String link = link(desktop);
        for (int n = 0; n < 6; n++) {
            take(new Guest(node), link);
        }
        HttpResponse<String> refused = take(new Guest(node), link);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("Too many requests", "<form");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    }

    @Test
    void aRoomThatDoesNotAllowItHasNeitherLinkNorPage() {
        node.room().change(node.room().options().withMove(false));
        HttpResponse<String> page = desktop.page("/tickets/a", "en");
        assertThat(page.body()).doesNotContain("Go on with another device");
        assertThat(desktop.call("POST", "link").statusCode()).isEqualTo(404);
        assertThat(desktop.call("GET", "move").statusCode()).isEqualTo(404);
        assertThat(desktop.send(taking("x", "y")).statusCode()).isEqualTo(404);
    }

    @Test
    void noCacheKeepsTheSecretAndNoOtherSiteLearnsThePage() {
        desktop.page("/tickets/a", "en");
        HttpResponse<String> page = desktop.send(form("link?back=%2Ftickets%2Fa", ""));
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("Link to your place", "#ey", "href=\"/tickets/a\"");
        for (HttpResponse<String> answer : List.of(page, desktop.call("POST", "link"),
                desktop.call("GET", "move"))) {
            assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
            assertThat(answer.headers().firstValue("Referrer-Policy")).contains("same-origin");
        }
        assertThat(new Guest(node).call("POST", "link").statusCode()).isEqualTo(410);
        assertThat(inside.call("POST", "link").statusCode()).as("a pass does not move").isEqualTo(410);
    }

    @Test
    void thePageOffersTheLinkForItsOwnAddress() {
        HttpResponse<String> page = desktop.page("/tickets/a?show=7", "de");
        assertThat(page.body()).contains("Auf einem anderen Gerät weitermachen",
                "action=\"/.orderly/rooms/sale/link?back=%2Ftickets%2Fa%3Fshow%3D7\"");
    }
}
