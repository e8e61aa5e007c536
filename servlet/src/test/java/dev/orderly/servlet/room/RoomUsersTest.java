package dev.orderly.servlet.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.servlet.Container;
import dev.orderly.servlet.RoomApp;
import dev.orderly.user.UserId;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.RoomUsers.SignedIn;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Users of an application with one place each and with tiers, as the application says who they are. */
@ParameterizedClass
@EnumSource(Container.Kind.class)
class RoomUsersTest {
    private static final RoomOptions OPTIONS = RoomOptions.of(new Limits(1, new Rate(1, Duration.ofMinutes(1))))
            .withOnePerUser(true).withTiers(new Tiers(List.of(new Tier("members", "tier=gold", 20))));

    private final RoomApp app;

    RoomUsersTest(Container.Kind kind) {
        app = new RoomApp(kind, "/shop", OPTIONS, room -> room.withUsers(RoomUsersTest::byHeader)
                .withSignIn("https://accounts.example.com/in"));
    }

    @AfterEach
    void close() {
        app.close();
    }

    /** Users by a header with their name and, behind a space, their tier. */
    private static Optional<SignedIn> byHeader(Map<String, List<String>> headers) {
        String sent = headers.getOrDefault("x-session", List.of("")).getFirst();
        if (sent.equals("broken")) {
            throw new IllegalStateException("The sessions are out of reach");
        }
        String[] parts = sent.split(" ", -1);
        return sent.isEmpty()
                ? Optional.empty()
                : Optional.of(parts.length == 1
                        ? new SignedIn(new UserId(parts[0]))
                        : new SignedIn(new UserId(parts[0]), Map.of("tier", List.of(parts[1]))));
    }

    private HttpResponse<String> get(Guest guest, String session) {
        HttpRequest.Builder request = app.at("/tickets/1").header("Accept", "application/json");
        return guest.send(session.isEmpty() ? request : request.header("X-Session", session));
    }

    private JsonNode line(Guest guest, String session) {
        HttpResponse<String> answer = get(guest, session);
        assertThat(answer.statusCode()).isEqualTo(503);
        return JsonMapper.shared().readTree(answer.body());
    }

    private void fill() {
        assertThat(get(new Guest(app), "first").statusCode()).isEqualTo(200);
        app.pass(1);
    }

    @Test
    void twoBrowsersOfAUserHaveOnePlace() {
        fill();
        Guest laptop = new Guest(app);
        Guest phone = new Guest(app);
        assertThat(line(laptop, "ann").path("place").asInt()).isEqualTo(2);
        assertThat(line(phone, "ann").path("place").asInt()).isEqualTo(2);
        assertThat(line(new Guest(app), "ben").path("place").asInt()).isEqualTo(3);
        assertThat(phone.cookies).as("tickets of their own").isNotEqualTo(laptop.cookies);
        assertThat(line(phone, "").path("place").asInt()).as("by the ticket alone").isEqualTo(2);
        assertThat(laptop.call("DELETE", "ticket").statusCode()).isEqualTo(204);
        assertThat(line(phone, "ann").path("place").asInt()).as("given back on one, a new place").isEqualTo(4);
    }

    @Test
    void whoIsNotSignedInGetsNoPlaceAndIsToldWhereToSignIn() {
        HttpResponse<String> program = get(new Guest(app), "");
        assertThat(program.statusCode()).isEqualTo(401);
        assertThat(program.body()).contains("urn:orderly:problem:unauthenticated");
        assertThat(new Guest(app).page("/tickets/1", "en").body())
                .contains("https://accounts.example.com/in?back&#x3D;%2Fshop%2Ftickets%2F1");
        assertThat(get(new Guest(app), "broken").statusCode()).isEqualTo(503);
        assertThat(app.reached).isEmpty();
        app.pass(1);
        assertThat(app.room().state().line().length()).isZero();
    }

    @Test
    void aClaimOfTheUserIsATier() {
        fill();
        JsonNode member = line(new Guest(app), "ann gold");
        assertThat(member.path("tier").asString()).isEqualTo("members");
        assertThat(member.path("place").asInt()).isEqualTo(1);
        assertThat(line(new Guest(app), "ben silver").path("tier").isNull()).isTrue();
    }

    @Test
    void aFilterThatCannotKnowTheUsersOfARoomIsRefused() {
        GatedRoom room = GatedRoom.of(app.room(), RoomMatch.of("/tickets/**"),
                new WaitingPage(RoomApp.SALE, PageLook.titled("The sale"), PageTemplate.standard()));
        assertThatThrownBy(() -> new RoomFilter(List.of(room))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Room sale has to know who is signed in")
                .hasMessageContaining("add GatedRoom.withUsers");
        assertThat(new RoomFilter(List.of(room.withUsers(RoomUsersTest::byHeader))).rooms()).hasSize(1);
    }
}
