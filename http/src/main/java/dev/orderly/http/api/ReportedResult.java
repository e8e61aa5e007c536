package dev.orderly.http.api;

import dev.orderly.http.api.json.JsonBody;
import dev.orderly.job.Job;
import dev.orderly.job.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads content in the form in which the API shows it: {@code json}, {@code text} or {@code base64}. */
final class ReportedResult {
    private ReportedResult() {}

    /** The content of a result; null if there is none. */
    static @Nullable Payload read(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return null;
        }
        Payload result;
        try {
            result = content(node);
        } catch (IllegalArgumentException e) {
            throw JsonBody.bad("The result is not valid: " + e.getMessage());
        }
        if (result.size() > Job.RESULT_MAX) {
            throw JsonBody.bad("The result has " + result.size() + " bytes: keep larger content elsewhere and send a"
                    + " reference of at most " + Job.RESULT_MAX);
        }
        return result;
    }

    private static Payload content(JsonNode node) {
        String type = node.path("contentType").asString("");
        if (node.has("json")) {
            return new Payload(type.isEmpty() ? Payload.JSON : type,
                    JsonMapper.shared().writeValueAsBytes(node.path("json")));
        }
        if (node.path("text").isString()) {
            return new Payload(type.isEmpty() ? Payload.TEXT : type,
                    node.path("text").stringValue().getBytes(StandardCharsets.UTF_8));
        }
        if (node.path("base64").isString()) {
            return new Payload(type.isEmpty() ? Payload.BYTES : type,
                    Base64.getDecoder().decode(node.path("base64").stringValue()));
        }
        throw new IllegalArgumentException("it needs json, text or base64");
    }
}
