package dev.orderly.http.intake;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushRequest.IdempotencyKey;
import dev.orderly.user.UserId;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The {@code Idempotency-Key} header. The stored key combines the sender, the route and the client's key. */
final class IdempotencyHeader {
    static final String NAME = "Idempotency-Key";

    private static final int MAX = 255;

    private IdempotencyHeader() {}

    /**
     * The client's key, unchanged but for the quotes of a structured field (RFC 9651).
     *
     * @throws ProblemException if it is present and not 1 to 255 printable ASCII characters
     */
    static Optional<String> read(RequestHead head) {
        String value = head.header(NAME);
        if (value == null) {
            return Optional.empty();
        }
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        String key = quoted ? value.substring(1, value.length() - 1) : value;
        if (key.isEmpty() || key.length() > MAX || !key.chars().allMatch(c -> c > ' ' && c <= '~')) {
            throw new ProblemException(ProblemType.BAD_REQUEST, "Header " + NAME + " is not 1 to " + MAX
                    + " printable ASCII characters without spaces: use a UUID");
        }
        return Optional.of(key);
    }

    /** @param route the name of the entry point of the push, the same for equal requests */
    static PushRequest apply(PushRequest request, String route, String key) {
        return request.withIdempotency(
                new IdempotencyKey(hash(route, UserId.column(request.user()), key), fingerprint(request)));
    }

    /**
     * Gives each line a key of its own; all share the fingerprint of all lines. The number of lines is part of
     * the key, since otherwise more lines under the key of fewer would be new in part only.
     */
    static List<PushRequest> applyToAll(List<PushRequest> requests, String route, String key, byte[] body) {
        DedupeKey whole = DedupeKey.of(bytes(route), body);
        List<PushRequest> keyed = new ArrayList<>(requests.size());
        for (PushRequest request : requests) {
            DedupeKey line = hash(route, null, key + " " + keyed.size() + " of " + requests.size());
            keyed.add(request.withIdempotency(new IdempotencyKey(line, whole)));
        }
        return keyed;
    }

    private static DedupeKey hash(String route, @Nullable String user, String key) {
        return DedupeKey.of(bytes("idempotency"), bytes(route), bytes(user), bytes(key));
    }

    private static DedupeKey fingerprint(PushRequest request) {
        Duration delay = request.delay();
        var priority = request.priority();
        List<byte[]> parts = new ArrayList<>(List.of(bytes(request.queue()), bytes(request.group()),
                bytes(request.dedupeId()), bytes(delay == null ? null : delay.toString()),
                bytes(priority == null ? null : priority.name())));
        String terms = Stream
                .of(request.unique(), request.expires(), request.attempts(), request.timeout(), request.debounce(),
                        request.atMost(), request.dedupeFor())
                .map(each -> each == null ? "" : "=" + each).collect(Collectors.joining(" "));
        if (!terms.isBlank()) {
            parts.add(bytes(terms));
        }
        if (request.cost() != null) {
            parts.add(bytes("cost " + request.cost()));
        }
        DedupeKey form = request.formFingerprint();
        parts.addAll(form == null
                ? List.of(bytes(request.payload().contentType()), request.payload().bytes())
                : List.of(bytes(ContentTypes.MULTIPART), form.bytes()));
        for (Map.Entry<String, String> param : new TreeMap<>(request.params()).entrySet()) {
            parts.add(bytes(param.getKey()));
            parts.add(bytes(param.getValue()));
        }
        return DedupeKey.of(parts.toArray(byte[][]::new));
    }

    /** An encoding that distinguishes missing from empty. */
    private static byte[] bytes(@Nullable String text) {
        return text == null ? new byte[0] : ("=" + text).getBytes(StandardCharsets.UTF_8);
    }
}
