package dev.orderly.web.room.check;

import dev.orderly.room.crowd.Verdict;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The answer of a check: status 200 with {@code {"verdict": "allow"}}, {@code "slow"} or {@code "refuse"}. */
final class CheckAnswer {
    private static final long SECONDS = 30;

    private CheckAnswer() {}

    /** @throws IllegalArgumentException if it is no verdict, without quoting it */
    static Verdict read(HttpResponse<byte[]> answer) {
        if (answer.statusCode() != 200) {
            throw new IllegalArgumentException("status " + answer.statusCode() + " instead of 200");
        }
        JsonNode json = json(answer.body());
        return switch (json.path("verdict").asString("")) {
            case "allow" -> new Verdict.Allow();
            case "refuse" -> new Verdict.Refuse();
            case "slow" -> new Verdict.Slow(wait(json.path("seconds")));
            default -> throw new IllegalArgumentException("no \"verdict\" of allow, slow and refuse");
        };
    }

    private static JsonNode json(byte[] body) {
        try {
            return JsonMapper.shared().readTree(body);
        } catch (RuntimeException _) {
            throw new IllegalArgumentException("no JSON");
        }
    }

    private static Duration wait(JsonNode seconds) {
        if (seconds.isMissingNode()) {
            return Duration.ofSeconds(SECONDS);
        }
        boolean fits = seconds.isIntegralNumber() && seconds.canConvertToLong() && seconds.longValue() > 0
                && seconds.longValue() <= Verdict.Slow.LONGEST.toSeconds();
        if (!fits) {
            throw new IllegalArgumentException("\"seconds\" is no whole number of 1 to "
                    + Verdict.Slow.LONGEST.toSeconds());
        }
        return Duration.ofSeconds(seconds.longValue());
    }
}
