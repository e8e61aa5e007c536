package dev.orderly.web.message;

import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The query parameters of a request; each is known and occurs at most once. */
public final class QueryParameters {
    private final Map<String, String> values;

    private QueryParameters(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Reads the query of a request.
     *
     * @throws ProblemException if a parameter is unknown, occurs twice, or is not percent-encoded UTF-8
     */
    public static QueryParameters of(RequestHead head, String... known) {
        Map<String, String> values = new HashMap<>();
        String query = head.query();
        for (String pair : query == null ? new String[0] : query.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            if (!List.of(known).contains(name)) {
                throw new ProblemException(ProblemType.BAD_REQUEST,
                        "Query parameter \"" + name + "\" is not known here: "
                                + (known.length == 0 ? "use none" : "known are " + String.join(", ", known)));
            }
            if (values.put(name, value) != null) {
                throw new ProblemException(ProblemType.BAD_REQUEST,
                        "Query parameter " + name + " occurs twice: send it once");
            }
        }
        return new QueryParameters(values);
    }

    public @Nullable String text(String name) {
        return values.get(name);
    }

    /**
     * A whole number, or {@code otherwise} if the parameter is absent.
     *
     * @throws ProblemException if the value is not a whole number within the bounds
     */
    public int number(String name, int least, int most, int otherwise) {
        String text = values.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Refused below, like numbers out of bounds.
        }
        throw bad(name, text, "use a whole number from " + least + " to " + most);
    }

    /**
     * A moment, or null if the parameter is absent.
     *
     * @throws ProblemException if the value is no instant of ISO-8601
     */
    public @Nullable Instant moment(String name) {
        String text = values.get(name);
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException _) {
            throw bad(name, String.valueOf(text), "use an instant such as 2026-05-01T00:00:00Z");
        }
    }

    /** The refusal of a parameter's value. */
    public static ProblemException bad(String name, String value, String remedy) {
        String shown = value.length() <= 100 ? value : value.substring(0, 100) + "...";
        return new ProblemException(ProblemType.BAD_REQUEST,
                "Query parameter " + name + " is \"" + shown + "\": " + remedy);
    }

    private static String decode(String text) {
        return StrictText.formDecoded("The query", text, StandardCharsets.UTF_8, ProblemType.BAD_REQUEST);
    }
}
