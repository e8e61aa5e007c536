package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.live.UserConnections;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user's connections. */
@Doc(name = "User")
record UserJson(String id, boolean online,
        @Doc("The number of devices and tabs connected to the nodes that answered.") int connections,
        @Doc("The connections to all nodes that answered.") List<Open> open,
        @Doc(NodeJson.UNREACHABLE) List<String> unreachable) {
    /** A connection. */
    record Open(String id, @Doc("`websocket`, `events`, or that of an application.") String transport, Instant since,
            @Doc("The node, by host and process.") String node) {}

    /** A page of connected users. */
    @Doc(name = "OnlineUsers")
    record Page(@Doc(facets = "maxItems: 200") List<Online> users,
            @Doc("`after` of the next page; null at the end.") @Nullable String next,
            @Doc(NodeJson.UNREACHABLE) List<String> unreachable) {}

    /** A connected user. */
    record Online(String id, @Doc(value = "To all nodes that answered.", facets = "minimum: 1") int connections) {}

    /** The answer to a message. */
    @Doc(name = "Messaged")
    record Messaged(@Doc("Whether the user had a connection.") boolean online) {}

    static UserJson of(UserId id, boolean online, UserConnections known) {
        return new UserJson(id.value(), online, known.connections().size(),
                known.connections().stream().map(each -> new Open(each.connection().id(),
                        each.connection().transport(), each.connection().since(), each.node())).toList(),
                known.unreachable());
    }
}
