package dev.orderly.http.intake;

import dev.orderly.http.listener.StrictText;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;

/** What JSON is taken, and what is wrong with other JSON, in words for its sender. */
public final class JsonCheck {
    private static final String LIMITS = "it is nested more than 500 deep, or has a number of more than 1,000 digits, or a"
            + " name of more than 50,000 characters";

    private JsonCheck() {}

    /**
     * Holds a body against RFC 8259, section 8.1.
     *
     * @param what it is, to begin a sentence with
     * @throws Refusal 400 if it is not UTF-8
     */
    public static void checkUtf8(String what, byte[] body) {
        StrictText.check(what, body, StandardCharsets.UTF_8);
        for (int i = 0; i < Math.min(4, body.length); i++) {
            if (body[i] == 0) {
                throw new Refusal(ProblemType.BAD_REQUEST, what + " is JSON in UTF-16 or UTF-32: send it in UTF-8");
            }
        }
    }

    /** Why it cannot be read, to stand inside a sentence. */
    public static String flaw(JacksonException thrown) {
        if (isTooLarge(thrown)) {
            return LIMITS;
        }
        var at = thrown.getLocation();
        String place = at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr();
        return thrown.getOriginalMessage() + place;
    }

    /** Whether it may be JSON, but more of it than is read. */
    public static boolean isTooLarge(JacksonException thrown) {
        return thrown instanceof StreamConstraintsException;
    }
}
