package dev.orderly.http.intake;

import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRequest;
import dev.orderly.user.UserId;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * The jobs of one request: newline-delimited JSON. Each line is an object with a {@code payload} of any JSON and,
 * optionally, the other members of {@link PushLine}. Payloads are stored byte for byte as in their line.
 */
final class PushLines {
    static final int LINES_MAX = 1_000;
    static final int BYTES_MAX = 16 << 20;
    static final List<String> CONTENT_TYPES = List.of("application/x-ndjson", "application/jsonl");
    static final Payload NOTHING = new Payload(Payload.BYTES, new byte[0]);

    private static final String KNOWN = "payload, group, dedupe, unique, delay, expires, priority, attempts,"
            + " timeout, params, user, debounce, atMost, dedupeFor and cost";

    private PushLines() {}

    /** @throws ProblemException 415 if the content type is present and not newline-delimited JSON */
    static void checkContentType(RequestHead head) {
        String type = head.header("Content-Type");
        String name = type == null ? CONTENT_TYPES.getFirst() : type.split(";", 2)[0].strip();
        if (CONTENT_TYPES.stream().noneMatch(name::equalsIgnoreCase) || head.header("Content-Encoding") != null) {
            throw new ProblemException(new Problem(ProblemType.UNSUPPORTED_CONTENT,
                    "Several jobs are one JSON object a line: send it as " + CONTENT_TYPES.getFirst()
                            + ", without Content-Encoding")
                    .withHeader(ContentTypes.ACCEPT_POST, ContentTypes.acceptPost(CONTENT_TYPES)));
        }
    }

    /** @throws ProblemException 422 naming the line that cannot be read */
    static List<PushRequest> read(String queue, byte[] body) {
        List<PushRequest> requests = new ArrayList<>();
        int start = 0;
        while (start < body.length) {
            int end = start;
            while (end < body.length && body[end] != '\n') {
                end++;
            }
            if (requests.size() == LINES_MAX) {
                throw new ProblemException(ProblemType.BOUNDS,
                        "The body has more than " + LINES_MAX + " lines: send several requests");
            }
            requests.add(line(queue, Arrays.copyOfRange(body, start, end), requests.size() + 1));
            start = end + 1;
        }
        if (requests.isEmpty()) {
            throw new ProblemException(ProblemType.EMPTY, "The body is empty: send 1 to " + LINES_MAX + " lines");
        }
        return requests;
    }

    private static PushRequest line(String queue, byte[] bytes, int number) {
        try {
            JsonCheck.checkUtf8("Line " + number, bytes);
        } catch (ProblemException e) {
            throw new ProblemException(e.problem().withMember("line", number));
        }
        try (JsonParser parser = JsonMapper.shared().createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("it is not a JSON object");
            }
            PushRequest request = PushRequest.of(queue, NOTHING);
            Set<String> seen = new HashSet<>();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                if (!seen.add(name)) {
                    throw new IllegalArgumentException("it has " + name + " twice");
                }
                parser.nextToken();
                request = field(request, name, parser, bytes);
            }
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("it has content after its object");
            }
            if (!seen.contains("payload")) {
                throw new IllegalArgumentException("it has no payload");
            }
            return request;
        } catch (JacksonException e) {
            throw refused(number,
                    JsonCheck.isTooLarge(e) ? JsonCheck.flaw(e) : "it is not JSON (" + e.getOriginalMessage() + ")");
        } catch (IllegalArgumentException e) {
            throw refused(number, String.valueOf(e.getMessage()));
        } catch (ProblemException e) {
            throw new ProblemException(e.problem().withMember("line", number));
        }
    }

    private static PushRequest field(PushRequest request, String name, JsonParser parser, byte[] line) {
        if (!name.equals("payload") && parser.currentToken() == JsonToken.VALUE_NULL) {
            return request;
        }
        return switch (name) {
            case "payload" -> request.withPayload(payload(parser, line));
            case "group" -> request.withGroup(text(name, parser));
            case "dedupe" -> request.withDedupeId(text(name, parser));
            case "user" -> request.withUser(user(text(name, parser)));
            case "unique" -> request.withUnique(text(name, parser));
            case "debounce" -> request.withDebounce(text(name, parser));
            case "atMost" -> request.withAtMost(DelayText.parse(text(name, parser)));
            case "dedupeFor" -> request.withDedupeFor(DelayText.parse(text(name, parser)));
            case "delay" -> request.withDelay(DelayText.parse(text(name, parser)));
            case "expires" -> request.withExpires(DelayText.parse(text(name, parser)));
            case "timeout" -> request.withTimeout(DelayText.parse(text(name, parser)));
            case "attempts" -> request.withAttempts(number(name, parser));
            case "cost" -> request.withCost(number(name, parser));
            case "priority" -> request.withPriority(priority(parser));
            case "params" -> request.withParams(params(parser));
            default -> throw new IllegalArgumentException("it has \"" + name + "\": known are " + KNOWN);
        };
    }

    /** A copy of the line's bytes, so that no number is rounded and no key reordered. */
    private static Payload payload(JsonParser parser, byte[] line) {
        int start = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
        parser.skipChildren();
        parser.finishToken();
        int end = Math.toIntExact(parser.currentLocation().getByteOffset());
        if (start < 0 || end <= start) {
            throw new IllegalArgumentException("it is not UTF-8");
        }
        return new Payload(Payload.JSON, Arrays.copyOfRange(line, start, end));
    }

    private static String text(String name, JsonParser parser) {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw new IllegalArgumentException("its " + name + " is not a string");
        }
        return parser.getString();
    }

    private static UserId user(String text) {
        try {
            return new UserId(text);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.BOUNDS, String.valueOf(e.getMessage()));
        }
    }

    private static int number(String name, JsonParser parser) {
        if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT || parser.getNumberType() != NumberType.INT) {
            throw new IllegalArgumentException("its " + name + " is not a number, or too large");
        }
        return parser.getIntValue();
    }

    private static Priority priority(JsonParser parser) {
        if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw new IllegalArgumentException("its priority is not a number: use 1 (urgent) to 4 (low)");
        }
        return Priority.of(parser.getIntValue());
    }

    private static Map<String, String> params(JsonParser parser) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new IllegalArgumentException("its params are not an object of strings");
        }
        Map<String, String> params = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            params.put(name, text("param " + name, parser));
        }
        return params;
    }

    private static ProblemException refused(int line, String what) {
        return new ProblemException(new Problem(ProblemType.MALFORMED,
                "Line " + line + " cannot be read: " + what + ". Nothing was stored: correct the line")
                .withMember("line", line));
    }
}
