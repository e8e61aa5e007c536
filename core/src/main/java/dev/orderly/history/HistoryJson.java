package dev.orderly.history;

import dev.orderly.Internal;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A series as JSON, by columns: for each figure a list with a value for each point, or null where nothing was recorded.
 * The same for the API and for pages.
 */
@Internal(to = "dev.orderly")
public final class HistoryJson {
    private HistoryJson() {}

    public static ObjectNode of(HistorySeries series) {
        HistoryRange range = series.range();
        HistorySubject subject = series.subject();
        ObjectNode json = JsonMapper.shared().createObjectNode();
        json.put(subject.kind().name().toLowerCase(Locale.ROOT), subject.name()).put("range", range.text())
                .put("beginEpochSeconds", series.begin().getEpochSecond())
                .put("stepSeconds", range.step().toSeconds());
        ObjectNode figures = json.putObject("figures");
        ObjectNode histograms = json.putObject("histograms");
        for (HistoryFigure figure : HistoryFigure.of(subject.kind())) {
            if (figure.isHistogram()) {
                ArrayNode parts = histograms.putArray(figure.text());
                for (int part = 0; part < figure.width(); part++) {
                    int of = part;
                    column(parts.addArray(), series, point -> OptionalLong.of(point.sum(figure, of)));
                }
            } else {
                column(figures.putArray(figure.text()), series, point -> figure.isPeak()
                        ? point.peak(figure)
                        : OptionalLong.of(point.sum(figure)));
            }
        }
        HistoryFigure.boundsMillis(subject.kind()).forEach(json.putArray("boundsMillis")::add);
        return json;
    }

    private static void column(ArrayNode column, HistorySeries series, Function<HistoryFigures, OptionalLong> value) {
        for (HistoryFigures point : series.points()) {
            OptionalLong each = point == null ? OptionalLong.empty() : value.apply(point);
            if (each.isPresent()) {
                column.add(each.getAsLong());
            } else {
                column.addNull();
            }
        }
    }
}
