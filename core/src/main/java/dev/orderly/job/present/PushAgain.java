package dev.orderly.job.present;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRefusedException.Reason;
import dev.orderly.job.PushRequest;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;

/** Requests to push the content of a dead letter again, as a new job that names it as its origin. */
public final class PushAgain {
    private PushAgain() {}

    /**
     * The request for the dead letter as it is. A second request within the dedupe window is the same push.
     *
     * @throws IllegalArgumentException if the job has no payload any more
     */
    public static PushRequest unchanged(JobView dead) {
        return again(dead).withDedupeId("push-again " + dead.id());
    }

    /**
     * The request with a changed payload. A second request with the same payload within the dedupe window is the same
     * push.
     *
     * @param form the fingerprint of a multipart form; null for other content
     * @throws PushRefusedException if the payload has the mask of a hidden value, or is not the JSON that it says it is
     */
    public static PushRequest changed(JobView dead, Payload payload, @Nullable DedupeKey form, Redaction redaction) {
        if (redaction.hasMask(payload)) {
            throw new PushRefusedException(Reason.MALFORMED,
                    "The payload has " + Redaction.MASK + " in place of a value that is"
                            + " hidden here: reveal the dead letter, and push the value itself");
        }
        checkJson(payload);
        PushRequest request = again(dead).withPayload(payload).withFormFingerprint(form);
        return request.withDedupeId("push-again " + dead.id() + " "
                + HexFormat.of().formatHex(DedupeKey.ofContent(dead.queue(), request).bytes()));
    }

    private static PushRequest again(JobView dead) {
        Payload payload = dead.payload();
        if (payload == null) {
            throw new IllegalArgumentException("Job " + dead.id() + " has no payload any more: push its content anew");
        }
        return PushRequest.of(dead.queue().value(), payload).withGroup(dead.group()).withParams(dead.params())
                .withUser(dead.user()).withPriority(dead.queue().isFifo() ? null : dead.priority())
                .withRetry(dead.terms().retry()).withTimeout(dead.terms().timeout())
                .withCost(dead.terms().cost() == 1 ? null : dead.terms().cost()).withOrigin(dead.id());
    }

    private static void checkJson(Payload payload) {
        String type = payload.contentType().split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!type.equals(Payload.JSON) && !type.endsWith("+json")) {
            return;
        }
        try (JsonParser parser = JsonMapper.shared().createParser(payload.bytes())) {
            boolean any = parser.nextToken() != null;
            parser.skipChildren();
            parser.finishToken();
            if (!any || parser.nextToken() != null) {
                throw new PushRefusedException(Reason.MALFORMED,
                        "The payload is not one JSON value: correct it, or choose"
                                + " another content type");
            }
        } catch (JacksonException e) {
            throw new PushRefusedException(Reason.MALFORMED, "The payload is not JSON (" + e.getOriginalMessage()
                    + "): correct it, or choose another content type");
        }
    }
}
