package dev.orderly.spring.boot;

import dev.orderly.job.engine.JobClient;
import dev.orderly.job.payload.PayloadReport;
import dev.orderly.job.payload.PayloadReport.Covered;
import dev.orderly.job.payload.PayloadReport.Unreadable;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.spring.config.OrderlyProperties.Payloads;
import dev.orderly.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The check whether the types of this version read the payloads that wait in the declared queues: of each queue a
 * bounded number, the oldest first. Blocks on the store.
 */
final class WaitingPayloads {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingPayloads.class);
    private static final int NAMED_MAX = 3;
    private static final String REMEDY = "Add a default, a rename or an upcaster where the queue is declared"
            + " (docs/java.md, \"Payloads that change\"), or keep the version that reads them running until they are"
            + " done.";

    private final JobClient jobs;
    private final Payloads settings;

    WaitingPayloads(JobClient jobs, Payloads settings) {
        this.jobs = jobs;
        this.settings = settings;
    }

    /** @throws StartRefusedException if a payload cannot be read, and the setting is to fail */
    void check() {
        switch (settings.checkAtStart()) {
            case OFF -> {
                // costs nothing
            }
            case WARN -> warn();
            case FAIL -> {
                PayloadReport report = jobs.payloads().waiting(settings.checked());
                if (!report.isReadable()) {
                    throw new StartRefusedException(text(report), REMEDY + " Or start all the same: orderly.payloads"
                            + ".check-at-start: warn. Then these jobs wait, as docs/java.md says.");
                }
            }
        }
    }

    /** An application that only warns starts without the check too. */
    private void warn() {
        try {
            PayloadReport report = jobs.payloads().waiting(settings.checked());
            if (!report.isReadable()) {
                LOG.warn("{}\n{}", text(report), REMEDY);
            }
        } catch (StoreException e) {
            LOG.warn("The waiting payloads were not checked: {}", e.getMessage());
        }
    }

    private static String text(PayloadReport report) {
        List<String> lines = new ArrayList<>();
        lines.add("Payloads wait that this version cannot read:");
        for (Covered queue : report.queues()) {
            if (queue.unreadable() > 0) {
                lines.add("  queue " + queue.queue() + ": " + queue.unreadable() + " of the " + queue.read()
                        + (queue.whole() ? " that wait" : " oldest, and more wait"));
                report.unreadable().stream().filter(each -> each.queue().equals(queue.queue())).limit(NAMED_MAX)
                        .map(WaitingPayloads::line).forEach(lines::add);
            }
        }
        return String.join("\n", lines);
    }

    private static String line(Unreadable payload) {
        return "    job " + payload.job() + ": " + payload.reason();
    }
}
