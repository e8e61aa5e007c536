package dev.orderly.http.acme;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The challenges of an authority that are open now (HTTP-01): it fetches each of them from port 80 of the domain and so
 * sees that the domain leads here. Thread-safe; bounded by the domains of one order.
 */
public final class HttpChallenges {
    /** The path of all challenges; the token follows. */
    public static final String PATH = "/.well-known/acme-challenge/";

    private final ConcurrentMap<String, String> answers = new ConcurrentHashMap<>();

    void open(String token, String answer) {
        answers.put(token, answer);
    }

    void close(String token) {
        answers.remove(token);
    }

    /** The answer to an open challenge. */
    public Optional<String> answer(String path) {
        return path.startsWith(PATH)
                ? Optional.ofNullable(answers.get(path.substring(PATH.length())))
                : Optional.empty();
    }
}
