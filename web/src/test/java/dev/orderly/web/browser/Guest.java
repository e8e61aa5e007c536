package dev.orderly.web.browser;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A visitor with a cookie jar that sends requests as a program does. */
public final class Guest {
    public final Map<String, String> cookies;
    private final Site site;

    /** A gate in front of a site, as its visitors reach it. */
    public interface Site {
        /** A request to a path, without a method. */
        HttpRequest.Builder at(String path);

        /** Follows no redirect and keeps no cookie. */
        HttpResponse<String> send(HttpRequest.Builder request);
    }

    public Guest(Site site) {
        this(site, new LinkedHashMap<>());
    }

    private Guest(Site site, Map<String, String> cookies) {
        this.site = site;
        this.cookies = cookies;
    }

    /** The same visitor, whose requests come to another gate. */
    public Guest at(Site other) {
        return new Guest(other, cookies);
    }

    /** A visitor who stays inside for good: in a room for one, no other visitor enters. */
    public static Guest inside(Site site) {
        Guest first = new Guest(site);
        first.get("/tickets/a");
        if (first.get("/tickets/b").statusCode() != 200) {
            throw new AssertionError("Not inside: " + first.cookies);
        }
        return first;
    }

    public HttpResponse<String> get(String path) {
        return send(site.at(path).header("Accept", "application/json").GET());
    }

    public HttpResponse<String> page(String path, String language) {
        return send(site.at(path).header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
                .header("Accept-Language", language).GET());
    }

    public HttpResponse<String> call(String method, String call) {
        return send(site.at("/.orderly/rooms/sale/" + call).method(method, BodyPublishers.noBody()));
    }

    public HttpResponse<String> send(HttpRequest.Builder request) {
        if (!cookies.isEmpty()) {
            request.header("Cookie", jar());
        }
        HttpResponse<String> answer = site.send(request);
        answer.headers().allValues("Set-Cookie").forEach(this::take);
        return answer;
    }

    public String jar() {
        return cookies.entrySet().stream().map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
    }

    public static JsonNode json(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body());
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
}
