package dev.orderly.dashboard.queue;

import dev.orderly.dashboard.chart.HourTrend;
import dev.orderly.dashboard.chart.Trends;
import dev.orderly.history.HistorySubject;
import dev.orderly.job.QueueView;
import dev.orderly.job.engine.QueueStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue in one line.
 *
 * @param trend none beyond the first {@link Trends#LIST_MAX} queues of a list
 */
public record QueueRow(QueueStatus status, HourTrend trend) {
    /** The lines of a list, in its order. May block on the store. */
    public static List<QueueRow> of(List<QueueStatus> queues, Trends trends) {
        List<QueueRow> rows = new ArrayList<>();
        for (QueueStatus status : queues) {
            rows.add(new QueueRow(status, rows.size() < Trends.LIST_MAX
                    ? trends.of(HistorySubject.of(status.view().queue()))
                    : HourTrend.NONE));
        }
        return rows;
    }

    public QueueView view() {
        return status.view();
    }
}
