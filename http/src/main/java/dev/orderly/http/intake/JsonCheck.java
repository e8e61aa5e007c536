package dev.orderly.http.intake;

import dev.orderly.web.message.StrictText;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;

/** The limits of accepted JSON, and errors about other JSON in words for its sender. */
public final class JsonCheck {
    private static final String LIMITS = "it is nested more than 500 deep, or has a number of more than 1,000 digits,"
            + " or a name of more than 50,000 characters";

    private JsonCheck() {}

    /**
     * Checks a body by RFC 8259, section 8.1.
     *
     * @param what the body's role, as the start of a sentence
     * @throws ProblemException 400 if it is not UTF-8
     */
    public static void checkUtf8(String what, byte[] body) {
        StrictText.check(what, body, StandardCharsets.UTF_8);
        for (int i = 0; i < Math.min(4, body.length); i++) {
            if (body[i] == 0) {
                throw new ProblemException(ProblemType.BAD_REQUEST,
                        what + " is JSON in UTF-16 or UTF-32: send it in UTF-8");
            }
        }
    }

    /** The reason why it cannot be read, as part of a sentence. */
    public static String flaw(JacksonException thrown) {
        if (isTooLarge(thrown)) {
            return LIMITS;
        }
        var at = thrown.getLocation();
        String place = at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr();
        return thrown.getOriginalMessage() + place;
    }

    /** Whether the document exceeds a limit, and may be valid JSON otherwise. */
    public static boolean isTooLarge(JacksonException thrown) {
        return thrown instanceof StreamConstraintsException;
    }
}
