package dev.orderly.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** One visitor with a cookie jar, who follows no redirect. */
final class Guest implements AutoCloseable {
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, String> cookies = new TreeMap<>();

    /** Asks like a program, so that an answer while waiting is JSON. */
    HttpResponse<String> get(URI address) {
        return send(HttpRequest.newBuilder(address).header("Accept", "application/json").GET());
    }

    /** As {@link #get(URI)}, with the credential of the server's own user. */
    HttpResponse<String> get(URI address, Path localAccess) {
        return send(
                OwnUser.of(localAccess, HttpRequest.newBuilder(address).header("Accept", "application/json").GET()));
    }

    HttpResponse<String> post(URI address, String form) {
        return send(HttpRequest.newBuilder(address).header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    }

    HttpResponse<String> delete(URI address) {
        return send(HttpRequest.newBuilder(address).DELETE());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        StringBuilder sent = new StringBuilder("first=1");
        cookies.forEach((name, value) -> sent.append("; ").append(name).append('=').append(value));
        try {
            HttpResponse<String> answer = client.send(request.timeout(Duration.ofSeconds(30))
                    .header("Cookie", sent.toString()).build(), BodyHandlers.ofString());
            answer.headers().allValues("Set-Cookie").forEach(cookie -> {
                String[] pair = cookie.split(";", 2)[0].split("=", 2);
                cookies.put(pair[0], pair[1]);
            });
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
