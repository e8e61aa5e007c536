package dev.orderly.servlet.live;

import dev.orderly.user.UserId;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** The users of live connections, as the application knows them. */
@FunctionalInterface
public interface LiveUsers {
    /** The users that the container's principals name. */
    LiveUsers PRINCIPALS = request -> Optional.ofNullable(request.getUserPrincipal())
            .map(principal -> new UserId(principal.getName()));

    /** The user of a request; empty if it has none, and may not connect. */
    Optional<UserId> of(HttpServletRequest request);
}
