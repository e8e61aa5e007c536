package dev.orderly.spring.web;

import dev.orderly.spring.RoomUsers;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authenticator;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;

/** The users of rooms as a bean of the application knows them. */
record BeanUsers(RoomUsers users) implements Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger(BeanUsers.class);

    @Override
    public Authentication of(RequestHead head) {
        HttpHeaders headers = new HttpHeaders();
        head.headers().forEach(headers::add);
        try {
            return users.of(headers).<Authentication>map(
                    known -> new Authentication.Known(known.user(), Instant.MAX, known.claims()))
                    .orElseGet(Authentication.Anonymous::new);
        } catch (RuntimeException e) {
            LOG.warn("The bean of RoomUsers failed, so that a visitor gets no place now", e);
            return new Authentication.Unavailable("The user of the request is not known now");
        }
    }

    @Override
    public Authentication verify(String token) {
        return new Authentication.Rejected("Rooms know users by requests only");
    }
}
