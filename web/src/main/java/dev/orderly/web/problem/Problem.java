package dev.orderly.web.problem;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * An error in an answer, as RFC 9457 defines.
 *
 * @param detail names the thing, the rule and the remedy; contains nothing internal
 * @param headers of the answer, such as {@code Retry-After}
 * @param members beside the five standard members, such as the job of a conflict
 */
public record Problem(ProblemType type, String detail, Map<String, String> headers, Map<String, Object> members) {
    public static final String CONTENT_TYPE = "application/problem+json";

    private static final int INSTANCE_MAX = 500;

    public Problem {
        headers = Map.copyOf(headers);
        members = Map.copyOf(members);
    }

    public Problem(ProblemType type, String detail) {
        this(type, detail, Map.of(), Map.of());
    }

    public Problem withHeader(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new Problem(type, detail, more, members);
    }

    public Problem withMember(String name, Object value) {
        Map<String, Object> more = new HashMap<>(members);
        more.put(name, value);
        return new Problem(type, detail, headers, more);
    }

    /**
     * The JSON document.
     *
     * @param instance the path of the request
     */
    public byte[] json(String instance) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("type", type.uri());
        document.put("title", type.title());
        document.put("status", type.status());
        document.put("detail", detail);
        document.put("instance", instance.length() <= INSTANCE_MAX ? instance : instance.substring(0, INSTANCE_MAX));
        document.putAll(members);
        return JsonMapper.shared().writeValueAsBytes(document);
    }
}
