package dev.orderly.dashboard.chart;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The charts of a page as its script draws them. */
final class ChartJson {
    private ChartJson() {}

    static String of(SubjectCharts charts) {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        json.put("begin", charts.series().begin().getEpochSecond())
                .put("step", charts.series().range().step().toSeconds())
                .put("empty", charts.isEmpty());
        ArrayNode list = json.putArray("charts");
        for (Chart chart : charts.charts()) {
            ObjectNode each = list.addObject().put("title", chart.title())
                    .put("unit", chart.unit().name().toLowerCase(Locale.ROOT));
            ArrayNode lines = each.putArray("lines");
            for (Chart.Line line : chart.lines()) {
                ArrayNode values = lines.addObject().put("label", line.label()).putArray("values");
                for (Double value : line.values()) {
                    values.add(rounded(value));
                }
            }
        }
        ArrayNode spreads = json.putArray("spreads");
        for (Spread spread : charts.spreads()) {
            ObjectNode each = spreads.addObject().put("title", spread.title()).put("total", spread.total());
            ArrayNode parts = each.putArray("parts");
            spread.parts().forEach(part -> parts.addObject().put("label", part.label()).put("count", part.count()));
        }
        return json.toString();
    }

    /** Three decimals are more than a chart shows. */
    private static @Nullable Double rounded(@Nullable Double value) {
        return value == null ? null : (Double) (Math.rint(value * 1_000) / 1_000);
    }
}
