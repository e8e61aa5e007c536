package dev.orderly.spring.web;

import dev.orderly.spring.RoomUsers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpHeaders;

/** The users of rooms as a bean of the application knows them. */
record BeanUsers(RoomUsers users) implements dev.orderly.web.room.RoomUsers {
    @Override
    public Optional<SignedIn> of(Map<String, List<String>> sent) {
        HttpHeaders headers = new HttpHeaders();
        sent.forEach(headers::addAll);
        return users.of(headers).map(known -> new SignedIn(known.user(), known.claims()));
    }
}
