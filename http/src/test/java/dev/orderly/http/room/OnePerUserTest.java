package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomOptions;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authenticator;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A room with one place a user, as browsers and programs see it. */
class OnePerUserTest {
    /** Knows the user that a bearer token names; {@code broken} cannot be verified. */
    private static final Authenticator USERS = new BearerUsers(token -> token.equals("broken")
            ? new Authentication.Unavailable("The keys are out of reach")
            : BearerUsers.named(token));

    private final RoomNode node = RoomNode.with(RoomOptions.of(new Limits(1, null)).withOnePerUser(true),
            room -> room.withUsers(USERS).withSignIn("https://accounts.example.com/in?shop=1"));

    @AfterEach
    void close() {
        node.close();
    }

    private HttpRequest.Builder json(String path) {
        return node.at(path).header("Accept", "application/json");
    }

    private static HttpRequest.Builder as(String user, HttpRequest.Builder request) {
        return request.header("Authorization", "Bearer " + user);
    }

    private void fill() {
        assertThat(new Guest(node).send(as("first", json("/tickets/a"))).statusCode()).isEqualTo(200);
    }

    @Test
    void twoBrowsersOfAUserWaitAtOnePlace() {
        fill();
        Guest laptop = new Guest(node);
        Guest phone = new Guest(node);
        String place = "\"place\":2,";
        assertThat(laptop.send(as("ann", json("/tickets/a"))).body()).contains(place);
        assertThat(phone.send(as("ann", json("/tickets/a"))).body()).contains(place);
        assertThat(phone.send(json("/tickets/a")).body()).as("by its ticket alone").contains(place);
        assertThat(new Guest(node).send(as("ben", json("/tickets/a"))).body()).contains("\"place\":3,");
        HttpResponse<String> again = new Guest(node)
                .send(as("ann", json("/.orderly/rooms/sale/ticket")).POST(HttpRequest.BodyPublishers.noBody()));
        assertThat(again.statusCode()).as("a known place").isEqualTo(200);
        assertThat(again.body()).contains(place);
        assertThat(laptop.send(json("/.orderly/rooms/sale/ticket").DELETE()).statusCode()).isEqualTo(204);
        assertThat(phone.send(json("/.orderly/rooms/sale/ticket")).statusCode()).isEqualTo(410);
    }

    @Test
    void aProgramThatNamesNoUserIsToldWhatToSend() {
        HttpResponse<String> refused = new Guest(node).send(json("/tickets/a"));
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
        assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(refused.body()).contains("urn:orderly:problem:unauthenticated", "each user has one place");
        assertThat(new Guest(node).send(json("/.orderly/rooms/sale/ticket")
                .POST(HttpRequest.BodyPublishers.noBody())).statusCode()).isEqualTo(401);
        assertThat(new Guest(node).send(as("broken", json("/tickets/a"))).statusCode()).isEqualTo(503);
    }

    @Test
    void aBrowserIsSentToThePageThatSignsIn() {
        for (String[] each : List.of(new String[]{"en", "Please sign in first"},
                new String[]{"de", "Bitte melden Sie sich zuerst an"},
                new String[]{"ar", "يرجى تسجيل الدخول أولاً"})) {
            HttpResponse<String> page = new Guest(node).send(node.at("/tickets/a?event=4&x=%22").header("Accept",
                    "text/html").header("Accept-Language", each[0]));
            assertThat(page.statusCode()).isEqualTo(401);
            assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
            assertThat(page.body()).contains("lang=\"" + each[0] + "\"", each[1]);
        }
        assertThat(new Guest(node).send(node.at("/tickets/a?event=4").header("Accept", "text/html")).body())
                .contains(
                        "href=\"https://accounts.example.com/in?shop&#x3D;1&amp;back&#x3D;%2Ftickets%2Fa%3Fevent%3D4\"",
                        "href=\"/tickets/a?event&#x3D;4\"")
                .doesNotContain("http-equiv=\"refresh\"");
    }
}
