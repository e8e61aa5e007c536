package dev.orderly.http.openapi;

import dev.orderly.operate.OperationSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the OpenAPI document says of an operation, beside its id, its method, its path and its role. */
public final class OperationDoc {
    private static final String JSON = "application/json";
    private static final String DESCRIPTION = "description";
    private static final String SCHEMA = "schema";
    private static final Set<String> LINES = Set.of("application/x-ndjson", "application/jsonl");

    private final String tag;
    private final String summary;
    private final List<Parameter> parameters = new ArrayList<>();
    private final Map<String, Answer> answers = new TreeMap<>();
    private final Set<ErrorAnswer> errors = EnumSet.noneOf(ErrorAnswer.class);
    private String details = "";
    private @Nullable Body body;

    /**
     * The body of requests.
     *
     * @param content the type of the content by its media type
     * @param example null for none
     */
    public record Body(boolean required, String description, Map<String, Class<?>> content, @Nullable String example) {
        /** A body that is a record in JSON. */
        public static Body of(Class<?> type) {
            return new Body(true, "", Map.of(JSON, type), null);
        }

        /** A body that is a form of the members of a record. */
        public static Body form(Class<?> type) {
            return new Body(true, "", Map.of("application/x-www-form-urlencoded", type), null);
        }

        /** A body of any content. */
        public static Body any(String... mediaTypes) {
            Map<String, Class<?>> content = new LinkedHashMap<>();
            for (String each : mediaTypes) {
                content.put(each, Object.class);
            }
            return new Body(true, "", content, null);
        }

        /** A copy that requests may leave out. */
        public Body optional() {
            return new Body(false, description, content, example);
        }

        private Set<ErrorAnswer> errors() {
            return required && content.keySet().equals(Set.of(JSON))
                    ? EnumSet.of(ErrorAnswer.TOO_SLOW, ErrorAnswer.UNSUPPORTED_CONTENT, ErrorAnswer.UNPROCESSABLE)
                    : EnumSet.of(ErrorAnswer.TOO_SLOW);
        }

        public Body saying(String sentence) {
            return new Body(required, sentence, content, example);
        }
    }

    /** A schema that no record has. */
    @FunctionalInterface
    public interface Shape {
        ObjectNode of(JsonSchemas schemas);
    }

    /** An answer that is no error, or an error in a form of its own. */
    private record Answer(String description, List<Parameter> headers, Map<String, Object> content) {}

    private OperationDoc(String tag, String summary) {
        this.tag = tag;
        this.summary = summary;
    }

    public static OperationDoc of(String tag, String summary) {
        return new OperationDoc(tag, summary);
    }

    /** The sentence and the refusals of the table of operations. */
    public static OperationDoc of(String tag, OperationSpec spec) {
        OperationDoc doc = new OperationDoc(tag, spec.sentence()).details(spec.details());
        spec.refusals().forEach(reason -> doc.errors.add(ErrorAnswer.of(reason)));
        return doc;
    }

    /** What the sentence leaves out. */
    public OperationDoc details(String sentences) {
        details = sentences;
        return this;
    }

    /** Parameters beside those that the path names. */
    public OperationDoc takes(Parameter... more) {
        parameters.addAll(List.of(more));
        return this;
    }

    public OperationDoc body(Body asked) {
        body = asked;
        return this;
    }

    /** @param type the record of the answer */
    public OperationDoc answers(Class<?> type, String description) {
        return answers(200, type, description);
    }

    /** @param type the record of the answer */
    public OperationDoc answers(int status, Class<?> type, String description) {
        return answers(Integer.toString(status), description, Map.of(JSON, type));
    }

    /** @param content types, or {@link Shape}s, by their media type; empty for an answer without a body */
    public OperationDoc answers(String status, String description, Map<String, ?> content, Parameter... headers) {
        answers.put(status, new Answer(description, List.of(headers), new TreeMap<>(content)));
        return this;
    }

    public OperationDoc refuses(ErrorAnswer... more) {
        errors.addAll(List.of(more));
        return this;
    }

    /**
     * Writes the operation.
     *
     * @param common errors of all operations of the API, unless this one has an answer of their status; empty for a
     *   call of others
     */
    public ObjectNode write(String id, String path, Set<ErrorAnswer> common, JsonSchemas schemas) {
        ObjectNode operation = object().put("operationId", id).put("summary", summary);
        if (!details.isEmpty()) {
            operation.put(DESCRIPTION, details);
        }
        operation.putArray("tags").add(tag);
        List<Parameter> all = Stream.concat(Parameter.of(path).stream(), parameters.stream()).toList();
        if (!all.isEmpty()) {
            ArrayNode list = operation.putArray("parameters");
            all.forEach(each -> list.add(parameter(each, schemas).put("name", each.name()).put("in", each.in())
                    .put("required", each.required())));
        }
        if (body != null) {
            writeBody(operation, body, schemas);
        }
        Map<String, ObjectNode> responses = new TreeMap<>();
        answers.forEach((status, answer) -> responses.put(status, response(answer, schemas)));
        Stream.of(errors, body == null || common.isEmpty() ? Set.<ErrorAnswer>of() : body.errors(), common)
                .flatMap(Set::stream)
                .forEach(error -> responses.putIfAbsent(Integer.toString(error.status()),
                        object().put("$ref", "#/components/responses/" + error.text())));
        operation.putObject("responses").setAll(responses);
        return operation;
    }

    /** The errors of all operations, to which each refers. */
    public static ObjectNode errors(JsonSchemas schemas, Class<?> problem) {
        ObjectNode all = object();
        for (ErrorAnswer error : ErrorAnswer.values()) {
            all.set(error.text(), response(new Answer(error.description(), error.headers(),
                    Map.of("application/problem+json", problem)), schemas));
        }
        return all;
    }

    private static void writeBody(ObjectNode operation, Body body, JsonSchemas schemas) {
        ObjectNode json = operation.putObject("requestBody").put("required", body.required);
        if (!body.description.isEmpty()) {
            json.put(DESCRIPTION, body.description);
        }
        ObjectNode content = json.putObject("content");
        body.content.forEach((type, shape) -> {
            ObjectNode media = media(type, shape, schemas);
            content.set(type, body.example == null ? media : media.put("example", body.example));
        });
    }

    private static ObjectNode response(Answer answer, JsonSchemas schemas) {
        ObjectNode json = object().put(DESCRIPTION, answer.description);
        if (!answer.headers.isEmpty()) {
            ObjectNode headers = json.putObject("headers");
            answer.headers.forEach(header -> headers.set(header.name(), parameter(header, schemas)));
        }
        if (!answer.content.isEmpty()) {
            ObjectNode content = json.putObject("content");
            answer.content.forEach((type, shape) -> content.set(type, media(type, shape, schemas)));
        }
        return json;
    }

    private static ObjectNode parameter(Parameter parameter, JsonSchemas schemas) {
        ObjectNode json = object();
        if (!parameter.description().isEmpty()) {
            json.put(DESCRIPTION, parameter.description());
        }
        return json.set(SCHEMA, schemas.of(parameter.type(), parameter.facets()));
    }

    private static ObjectNode media(String type, Object shape, JsonSchemas schemas) {
        if (shape instanceof Shape other) {
            return object().set(SCHEMA, other.of(schemas));
        }
        Class<?> given = (Class<?>) shape;
        if (LINES.contains(type)) {
            ObjectNode line = object().put("type", "string").put(DESCRIPTION,
                    "One JSON object a line, each as `x-line-schema` says.");
            return object().set(SCHEMA, line.set("x-line-schema", schemas.of(given, "")));
        }
        return switch (type) {
            case "*/*" -> object();
            case "application/octet-stream" -> object().set(SCHEMA, schemas.of(String.class, "format: 'binary'"));
            case "text/event-stream" ->
                object().set(SCHEMA, schemas.of(String.class, "description: 'Server-sent events.'"));
            case "application/x-www-form-urlencoded", "multipart/form-data" ->
                object().set(SCHEMA, given == Object.class ? object().put("type", "object") : schemas.of(given, ""));
            default -> object().set(SCHEMA,
                    schemas.of(type.startsWith("text/") ? String.class : given, ""));
        };
    }

    private static ObjectNode object() {
        return JsonMapper.shared().createObjectNode();
    }
}
