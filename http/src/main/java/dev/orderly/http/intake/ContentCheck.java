package dev.orderly.http.intake;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.Payload;
import dev.orderly.web.message.StrictText;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;

/**
 * Refuses content that no handler could read, so that its sender gets the error instead of an operator who finds a dead
 * letter. Checks the syntax of the content only.
 */
final class ContentCheck {
    private final MultipartReader multipart = new MultipartReader();

    /**
     * @return the fingerprint of a multipart form; null for other content
     * @throws ProblemException if the body does not match its content type; an empty body passes, since the queue
     *     refuses it
     */
    @Nullable
    DedupeKey check(MediaType type, byte[] body) {
        if (body.length == 0) {
            return null;
        }
        if (type.name().equals(ContentTypes.MULTIPART)) {
            return FormFingerprint.of(multipart(type, body));
        }
        if (type.isJson()) {
            json(body);
        } else {
            switch (type.name()) {
                case ContentTypes.FORM -> form(type.charset(), body);
                case ContentTypes.TEXT -> text(type.charset(), body);
                default -> {
                    // any bytes are valid
                }
            }
        }
        return null;
    }

    private static void json(byte[] body) {
        JsonCheck.checkUtf8("The body", body);
        try (JsonParser parser = JsonMapper.shared().createParser(body)) {
            if (parser.nextToken() == null) {
                throw malformed("The body is blank, which is not JSON: send a JSON value");
            }
            parser.skipChildren();
            parser.finishToken();
            if (parser.nextToken() != null) {
                throw malformed("The body has more than one JSON value: send one, or use /jobs/batch for several");
            }
        } catch (JacksonException e) {
            throw malformed(
                    (JsonCheck.isTooLarge(e) ? "The body is JSON beyond the limits (" : "The body is not JSON (")
                            + JsonCheck.flaw(e) + "): correct it, or set its true content type");
        }
    }

    private static void form(Charset charset, byte[] body) {
        for (String part : new String(body, StandardCharsets.ISO_8859_1).split("[&=]", -1)) {
            StrictText.formDecoded("The form", part, charset, ProblemType.MALFORMED);
        }
    }

    private Map<String, Object> multipart(MediaType type, byte[] body) {
        try {
            return multipart.read(new Payload(type.text(), body));
        } catch (MultipartReader.NotTextException e) {
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "The multipart form has bytes that are not text in " + e.part()
                            + ": encode names and fields in UTF-8");
        } catch (IllegalArgumentException e) {
            throw malformed("The multipart form cannot be read (" + e.getMessage()
                    + "): send it as RFC 7578 defines, up to the last boundary");
        }
    }

    private static void text(Charset charset, byte[] body) {
        StrictText.check("The text", body, charset);
    }

    private static ProblemException malformed(String detail) {
        return new ProblemException(ProblemType.MALFORMED, detail);
    }
}
