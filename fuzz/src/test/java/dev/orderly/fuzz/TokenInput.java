package dev.orderly.fuzz;

import dev.orderly.http.user.JwtAuthenticator;
import dev.orderly.http.user.TokenSource;
import dev.orderly.http.user.UserOptions;
import dev.orderly.room.RoomName;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.ManualTime;
import dev.orderly.web.message.HeaderList;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.user.Authentication;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A token that a stranger has made, who knows none of the secrets: it never counts. */
final class TokenInput implements FuzzTarget.Input {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final RoomName ROOM = new RoomName("sale");

    private final JwtAuthenticator users = JwtAuthenticator.of(UserOptions.of(
            new TokenSource.Secret("a secret that nobody could guess".getBytes(StandardCharsets.UTF_8)))
            .withCookie("session"), new ManualTime(NOW));
    private final RoomTokens rooms = new RoomTokens(TokenKeys.of(List.of(
            "another secret that nobody could".getBytes(StandardCharsets.UTF_8))));

    @Override
    public void run(byte[] input) {
        String token = new String(input, StandardCharsets.ISO_8859_1);
        RequestHead bearer = head(new HeaderList().add("Authorization", "Bearer " + token));
        RequestHead cookie = head(new HeaderList().add("Cookie", "session=" + token + "; other=" + token));
        for (Authentication answer : List.of(users.verify(token), users.of(bearer), users.of(cookie))) {
            if (answer instanceof Authentication.Known || answer instanceof Authentication.Unavailable) {
                throw new AssertionError("A forged token is taken: " + answer);
            }
        }
        if (rooms.ticket(token, ROOM, 1, NOW).isPresent() || rooms.pass(token, ROOM, 1, NOW).isPresent()
                || rooms.linked(token, ROOM, 1, NOW).isPresent() || rooms.joinWait(token, ROOM, 1, NOW).isPresent()
                || rooms.authenticTicket(token, ROOM).isPresent() || rooms.authenticPass(token, ROOM, 1).isPresent()) {
            throw new AssertionError("A forged ticket, pass or link is taken");
        }
    }

    private static RequestHead head(HeaderList headers) {
        return new RequestHead("GET", "/", null, headers, "192.0.2.7", Map.of());
    }
}
