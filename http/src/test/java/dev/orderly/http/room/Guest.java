package dev.orderly.http.room;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A visitor with a cookie jar that sends requests as a program does. */
public final class Guest {
    public final Map<String, String> cookies;
    private final RoomNode node;

    public Guest(RoomNode node) {
        this(node, new LinkedHashMap<>());
    }

    private Guest(RoomNode node, Map<String, String> cookies) {
        this.node = node;
        this.cookies = cookies;
    }

    /** The same visitor, whose requests come to another gate. */
    public Guest at(RoomNode other) {
        return new Guest(other, cookies);
    }

    /** A visitor who stays inside for good: in a room for one, no other visitor enters. */
    public static Guest inside(RoomNode node) {
        Guest first = new Guest(node);
        first.get("/tickets/a");
        if (first.get("/tickets/b").statusCode() != 200) {
            throw new AssertionError("Not inside: " + first.cookies);
        }
        return first;
    }

    public HttpResponse<String> get(String path) {
        return send(node.at(path).header("Accept", "application/json").GET());
    }

    public HttpResponse<String> page(String path, String language) {
        return send(node.at(path).header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
                .header("Accept-Language", language).GET());
    }

    public HttpResponse<String> call(String method, String call) {
        return send(node.at("/.orderly/rooms/sale/" + call).method(method, HttpRequest.BodyPublishers.noBody()));
    }

    public HttpResponse<String> send(HttpRequest.Builder request) {
        if (!cookies.isEmpty()) {
            request.header("Cookie", jar());
        }
        HttpResponse<String> answer = node.send(request);
        answer.headers().allValues("Set-Cookie").forEach(this::take);
        return answer;
    }

    public String jar() {
        return cookies.entrySet().stream().map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
    }

    private void take(String cookie) {
        String name = cookie.substring(0, cookie.indexOf('='));
        String value = cookie.substring(cookie.indexOf('=') + 1, cookie.indexOf(';'));
        if (cookie.contains("Max-Age=0;")) {
            cookies.remove(name);
        } else {
            cookies.put(name, value);
        }
    }

    public static JsonNode json(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }
}
