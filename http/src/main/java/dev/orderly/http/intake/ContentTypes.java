package dev.orderly.http.intake;

import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The content types that become payloads. */
public final class ContentTypes {
    public static final String JSON = "application/json";
    public static final String FORM = "application/x-www-form-urlencoded";
    public static final String MULTIPART = "multipart/form-data";
    public static final String TEXT = "text/plain";
    public static final String BYTES = "application/octet-stream";

    /** Every content type that can be pushed over HTTP. JSON includes {@code application/…+json}. */
    public static final List<String> ALL = List.of(JSON, FORM, MULTIPART, TEXT, BYTES);

    /** The response header that lists accepted types (W3C Linked Data Platform; RFC 9110 for its use with 415). */
    public static final String ACCEPT_POST = "Accept-Post";

    private ContentTypes() {}

    /** @throws IllegalArgumentException if a route accepts something that cannot be pushed */
    public static void check(String path, List<String> accepts) {
        for (String type : accepts) {
            if (!ALL.contains(type)) {
                throw new IllegalArgumentException("Route " + path + " accepts \"" + type + "\", which is not one of "
                        + ALL + ": use some of these, or leave accepts out for all");
            }
        }
    }

    /**
     * The content type of a request's payload; JSON if it has none.
     *
     * @param accepts the accepted types, some of {@link #ALL}
     * @throws ProblemException 415 if the type is not accepted or not valid, or the body is compressed
     */
    static MediaType of(RequestHead head, List<String> accepts) {
        String encoding = head.header("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw new ProblemException(
                    new Problem(ProblemType.UNSUPPORTED_CONTENT, "The body is encoded as \"" + encoding
                            + "\": send it plain, without Content-Encoding").withHeader("Accept-Encoding", "identity"));
        }
        MediaType type = parse(head.header("Content-Type"), accepts);
        boolean json = type.isJson() && accepts.contains(JSON);
        if (!json && !accepts.contains(type.name())) {
            throw refused("Content type \"" + type.name() + "\" is not accepted here", accepts);
        }
        return type;
    }

    /** The value of {@link #ACCEPT_POST}. */
    static String acceptPost(List<String> accepts) {
        return String.join(", ", accepts);
    }

    private static MediaType parse(@Nullable String text, List<String> accepts) {
        try {
            return text == null ? MediaType.parse(JSON) : MediaType.parse(text);
        } catch (IllegalArgumentException e) {
            throw refused(String.valueOf(e.getMessage()), accepts);
        }
    }

    private static ProblemException refused(String what, List<String> accepts) {
        return new ProblemException(new Problem(ProblemType.UNSUPPORTED_CONTENT,
                what + ": send one of " + String.join(", ", accepts) + ", or none for JSON")
                .withHeader(ACCEPT_POST, acceptPost(accepts)));
    }
}
