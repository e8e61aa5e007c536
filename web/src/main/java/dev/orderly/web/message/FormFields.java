package dev.orderly.web.message;

import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names with their values, as queries and forms encode them. A name may occur several times. */
public final class FormFields {
    private static final int FIELDS_MAX = 2_000;

    private FormFields() {}

    public static Map<String, List<String>> ofQuery(@Nullable String query) {
        return query == null ? Map.of() : decoded(query);
    }

    /** The fields of a form; none if the request has no body. */
    public static Map<String, List<String>> ofForm(RequestHead head, byte[] body) {
        if (body.length == 0) {
            return Map.of();
        }
        String type = head.header("Content-Type");
        if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase("application/x-www-form-urlencoded")) {
            throw new ProblemException(ProblemType.UNSUPPORTED_CONTENT,
                    "This action is a form: send application/x-www-form-urlencoded");
        }
        return decoded(new String(body, StandardCharsets.ISO_8859_1));
    }

    private static Map<String, List<String>> decoded(String text) {
        Map<String, List<String>> fields = new HashMap<>();
        int count = 0;
        for (String pair : text.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            if (++count > FIELDS_MAX) {
                throw new ProblemException(ProblemType.TOO_LARGE,
                        "There are more than " + FIELDS_MAX + " fields: send fewer");
            }
            int equals = pair.indexOf('=');
            fields.computeIfAbsent(decode(equals < 0 ? pair : pair.substring(0, equals)), _ -> new ArrayList<>())
                    .add(equals < 0 ? "" : decode(pair.substring(equals + 1)));
        }
        return fields;
    }

    private static String decode(String text) {
        return StrictText.formDecoded("The form", text, StandardCharsets.UTF_8, ProblemType.BAD_REQUEST);
    }
}
