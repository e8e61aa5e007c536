package dev.orderly.http.room;

import dev.orderly.user.UserId;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authenticator;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;

/** Users of tests, by the bearer tokens that they send. */
record BearerUsers(Function<String, Authentication> tokens) implements Authenticator {
    /** The user whom a token names. */
    static Authentication named(String token) {
        return new Authentication.Known(new UserId(token), Instant.MAX, Map.of());
    }

    @Override
    public Authentication of(RequestHead head) {
        String sent = head.headers().get("Authorization");
        return sent == null ? new Authentication.Anonymous() : verify(sent.substring("Bearer ".length()));
    }

    @Override
    public Authentication verify(String token) {
        return tokens.apply(token);
    }
}
