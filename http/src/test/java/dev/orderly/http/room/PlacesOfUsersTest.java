package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.crowd.PlaceReport;
import dev.orderly.room.crowd.PlaceReport.Row;
import dev.orderly.user.UserId;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authenticator;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The places of a room by their takers, as requests over HTTP take them. */
class PlacesOfUsersTest {
    private static final String SECRET = "a-secret-token";

    /** Knows a user by the part of the token behind its last dot. */
    private static final Authenticator USERS = new Authenticator() {
        @Override
        public Authentication of(RequestHead head) {
            String sent = head.headers().get("Authorization");
            return sent == null ? new Authentication.Anonymous() : verify(sent);
        }

        @Override
        public Authentication verify(String token) {
            return token.endsWith("broken")
                    ? new Authentication.Rejected("It is broken")
                    : new Authentication.Known(new UserId(token.substring(token.lastIndexOf('.') + 1)), Instant.MAX);
        }
    };

    private final RoomNode node = RoomNode.with(RoomOptions.of(new Limits(100, null)), room -> room.withUsers(USERS));

    @AfterEach
    void close() {
        node.close();
    }

    private void take(String address, String token) {
        new Guest(node).send(node.at("/tickets/a").header("X-Forwarded-For", address).header("Authorization",
                "Bearer " + token));
    }

    private PlaceReport report() {
        return node.rooms.places(RoomNode.SALE, 10);
    }

    @Test
    void placesAreCountedByTheirUsersAndNoTokenIsShown() {
        take("192.0.2.1", SECRET + ".ada");
        take("192.0.2.1", SECRET + ".ada");
        take("198.51.100.7", SECRET + ".bob");
        take("198.51.100.7", SECRET + ".broken");
        await().atMost(Duration.ofSeconds(60)).until(() -> report().signIns().rows().stream()
                .mapToLong(Row::places).sum() == 3);
        assertThat(report().signIns().rows()).containsExactly(new Row("ada", 2), new Row("bob", 1));
        assertThat(report().addresses().rows()).containsExactly(new Row("192.0.2.1", 2), new Row("198.51.100.7", 2));
        assertThat(report().toString()).doesNotContain(SECRET, "eyJ");
    }

    @Test
    void aVisitorWhoComesBackTakesNoPlace() {
        Guest guest = new Guest(node);
        for (int n = 0; n < 3; n++) {
            guest.send(node.at("/tickets/a").header("X-Forwarded-For", "192.0.2.1"));
        }
        assertThat(report().places()).isEqualTo(1);
    }
}
