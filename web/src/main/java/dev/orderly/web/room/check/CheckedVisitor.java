package dev.orderly.web.room.check;

import dev.orderly.room.RoomName;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A visitor about whom a {@link JoinCheck} asks.
 *
 * @param address of the client
 * @param method of the visitor's request
 * @param host of the visitor's request
 * @param path of the visitor's request, without the query
 * @param headers of the visitor's request by name in lower case, without the tokens of rooms
 */
public record CheckedVisitor(String address, String method, String host, String path, Map<String, String> headers) {
    public CheckedVisitor {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(headers, "headers");
        headers = Map.copyOf(headers);
    }

    /** The body of a question. */
    byte[] json(RoomName room, long ofNetwork) {
        ObjectNode json = JsonMapper.shared().createObjectNode().put("room", room.value()).put("address", address)
                .put("networkPlaces", ofNetwork).put("method", method).put("host", host).put("path", path);
        ObjectNode sent = json.putObject("headers");
        new TreeMap<>(headers).forEach(sent::put);
        return JsonMapper.shared().writeValueAsBytes(json);
    }

    /** Without headers, which may have secrets. */
    @Override
    public String toString() {
        return "CheckedVisitor[" + method + " " + path + "]";
    }
}
