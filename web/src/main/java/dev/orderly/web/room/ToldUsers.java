package dev.orderly.web.room;

import dev.orderly.web.message.RequestHead;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authenticator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The users of requests as an application knows them. */
record ToldUsers(RoomUsers users) implements Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger(ToldUsers.class);

    ToldUsers {
        Objects.requireNonNull(users, "users");
    }

    @Override
    public Authentication of(RequestHead head) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        head.headers().forEach((name, value) -> headers.computeIfAbsent(name, _ -> new ArrayList<>()).add(value));
        headers.replaceAll((_, values) -> List.copyOf(values));
        try {
            return users.of(Collections.unmodifiableMap(headers)).<Authentication>map(
                    known -> new Authentication.Known(known.user(), Instant.MAX, known.claims()))
                    .orElseGet(Authentication.Anonymous::new);
        } catch (RuntimeException e) {
            LOG.warn("RoomUsers of the application failed, so that the user of a visitor is not known now", e);
            return new Authentication.Unavailable("The user of the request is not known now");
        }
    }

    @Override
    public Authentication verify(String token) {
        return new Authentication.Rejected("Rooms know users by requests only");
    }
}
