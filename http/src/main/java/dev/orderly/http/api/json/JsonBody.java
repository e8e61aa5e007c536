package dev.orderly.http.api.json;

import dev.orderly.http.intake.JsonCheck;
import dev.orderly.http.intake.MediaType;
import dev.orderly.http.openapi.JsonSchemas;
import dev.orderly.web.message.Request;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a request body that is a JSON object with known members only. */
public final class JsonBody {
    private JsonBody() {}

    /**
     * Reads the body of a request.
     *
     * @throws ProblemException if its content type is not JSON (a missing one counts as JSON), or as {@link #object}
     */
    public static JsonNode of(Request call, Class<? extends Record> shape) {
        String type = call.head().header("Content-Type");
        if (type != null && !isJson(type)) {
            throw new ProblemException(ProblemType.UNSUPPORTED_CONTENT,
                    call.head().method() + " here accepts application/json: set Content-Type to it");
        }
        return object("The body", call.body(), shape);
    }

    /**
     * Reads a body.
     *
     * @param what the body's role, as the start of a sentence
     * @param shape the record whose components are the known members
     * @throws ProblemException if it is not JSON, not an object, or has an unknown member
     */
    public static JsonNode object(String what, byte[] body, Class<? extends Record> shape) {
        List<String> known = JsonSchemas.members(shape);
        JsonCheck.checkUtf8(what, body);
        JsonNode json;
        try {
            json = JsonMapper.shared().readTree(body);
        } catch (JacksonException e) {
            if (JsonCheck.isTooLarge(e)) {
                throw new ProblemException(ProblemType.MALFORMED,
                        what + " is JSON beyond the limits: " + JsonCheck.flaw(e));
            }
            throw bad(what + " is not JSON (" + e.getOriginalMessage() + ")");
        }
        if (!json.isObject()) {
            throw bad(what + " is not a JSON object"
                    + (known.isEmpty() ? ": send {}" : " with " + String.join(", ", known)));
        }
        for (String name : json.propertyNames()) {
            if (!known.contains(name)) {
                throw bad(what + " has \"" + name + "\": "
                        + (known.isEmpty() ? "send {}" : "known are " + String.join(" and ", known)));
            }
        }
        return json;
    }

    public static ProblemException bad(String detail) {
        return new ProblemException(ProblemType.BAD_REQUEST, detail);
    }

    private static boolean isJson(String type) {
        try {
            return MediaType.parse(type).isJson();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
