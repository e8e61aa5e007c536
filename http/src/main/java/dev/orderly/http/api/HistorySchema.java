package dev.orderly.http.api;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryRange;
import dev.orderly.history.HistorySubject.Kind;
import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.JsonSchemas;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.RecordJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The schema of a history: a column for each figure of the kind. */
record HistorySchema(Kind kind) implements OperationDoc.Shape {
    /** What histories have beside their columns. */
    private record Frame(HistoryRange range, @Doc("Begin of the first point, as Unix time.") long beginEpochSeconds,
            @Doc("Length of a point.") long stepSeconds) {}

    /** A column. */
    @Doc(name = "HistoryColumn", value = "A value for each point; null where nothing was recorded.")
    private record Column(@JsonValue List<@Nullable Long> values) {}

    /** The columns of a histogram. */
    private record Histogram(@JsonValue List<Column> parts) {}

    /** The bounds of histograms. */
    @Doc("Upper bounds of all but the last part of the histograms, each inclusive.")
    private record Bounds(@JsonValue List<Long> millis) {}

    @Override
    public ObjectNode of(JsonSchemas schemas) {
        String subject = RecordJson.word(kind);
        ObjectNode schema = schemas.of(Frame.class, "");
        ObjectNode properties = (ObjectNode) schema.path("properties");
        properties.set(subject, schemas.of(String.class, ""));
        properties.set("figures", columns(schemas, false));
        properties.set("boundsMillis", schemas.of(Bounds.class, ""));
        properties.set("histograms", columns(schemas, true));
        return schemas.add(Character.toUpperCase(subject.charAt(0)) + subject.substring(1) + "History",
                allRequired(schema));
    }

    private ObjectNode columns(JsonSchemas schemas, boolean histograms) {
        ObjectNode all = JsonMapper.shared().createObjectNode().put("type", "object");
        ObjectNode properties = all.putObject("properties");
        HistoryFigure.of(kind).stream().filter(figure -> figure.isHistogram() == histograms)
                .forEach(figure -> properties.set(figure.text(),
                        schemas.of(histograms ? Histogram.class : Column.class, "")
                                .put("description", figure.sentence())));
        return allRequired(all);
    }

    private static ObjectNode allRequired(ObjectNode schema) {
        ArrayNode required = schema.putArray("required");
        schema.path("properties").propertyNames().forEach(required::add);
        return schema;
    }
}
