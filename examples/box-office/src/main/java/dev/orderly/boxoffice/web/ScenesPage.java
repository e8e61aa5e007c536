package dev.orderly.boxoffice.web;

import dev.orderly.Orderly;
import dev.orderly.boxoffice.shop.Counter;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobQueue;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueView;
import dev.orderly.job.engine.QueueStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The operator's view: queues, crowd, dead letters and latest jobs. */
final class ScenesPage {
    private static final int EACH = 4;
    private static final List<JobState> SHOWN = List.of(JobState.DELAYED, JobState.RUNNING, JobState.DONE,
            JobState.WAITING);
    private static final int DEAD_SHOWN = 8;

    private final Orderly orderly;
    private final Counter counter;
    private final Lanes lanes;
    private final ReportPanel report;
    private final RoomPanel room;

    ScenesPage(Orderly orderly, Counter counter, Lanes lanes, RoomPanel room) {
        this.orderly = orderly;
        this.counter = counter;
        this.lanes = lanes;
        this.room = room;
        this.report = new ReportPanel(orderly);
    }

    Html page() {
        List<QueueStatus> queues = orderly.jobs().queues();
        return Layout.livePage("Behind the scenes", "/behind-the-scenes", true, Html.of("""
                <h1>Behind the scenes</h1>
                {}
                <p class="lede">Two queues do the shop’s work. <strong>checkout.fifo</strong> charges each customer’s
                orders one after the other, in the order they were placed, and many customers side by side.
                <strong>mails</strong> sends confirmations as fast as it can, in any order.</p>
                <div class="panels" id="queues" data-live="on">{}{}</div>
                <p class="hint below">A worker claims up to ten orders of a customer at once and runs them one by
                one. The rate is the mean of the last minute.</p>
                <section id="rush" class="card" aria-labelledby="rush-title">
                <div class="row"><div><h2 id="rush-title">A crowd at the door</h2>
                <p class="hint">100 customers, 10 orders each, all at once. Each row is a customer, each square an
                order, first to last.</p></div>
                <form method="post" action="/behind-the-scenes/rush"><button class="button">Push 1,000 orders</button>
                </form></div>
                <p class="sr" id="said" role="status" aria-live="polite" data-live>{}</p>
                <div id="lanes" data-live>{}</div>
                </section>
                <section id="dead" class="card" aria-labelledby="dead-title">
                <h2 id="dead-title">Dead letters</h2>
                <div id="letters" data-live>{}</div>
                </section>
                <section id="report" class="card" aria-labelledby="report-title">
                <div class="row"><div><h2 id="report-title">The nightly report</h2>
                <div id="takings" data-live>{}</div></div>
                <form method="post" action="/behind-the-scenes/report"><button class="button quiet">Run it now</button>
                </form></div>
                </section>
                <section aria-labelledby="latest"><h2 id="latest">Some of the jobs</h2>
                <p class="hint">Jobs to be retried first, then claimed, done and waiting jobs.</p>
                <div id="jobs" data-live>{}</div></section>""", room.html(),
                panel(queues, counter.checkouts()), panel(queues, counter.mails()), lanes.summary(), lanes.html(),
                dead(), report.html(), latest()));
    }

    private static Html panel(List<QueueStatus> queues, JobQueue<?> queue) {
        QueueStatus status = queues.stream().filter(one -> one.view().queue().equals(queue.name())).findFirst()
                .orElseThrow();
        QueueView view = status.view();
        return Html.of("""
                <section class="panel" aria-label="Queue {}"><h2>{}{}</h2>
                <p class="rate"><strong>{}</strong> jobs a second</p>
                <dl>
                <div class="wait"><dt>Waiting</dt><dd>{}</dd></div>
                <div class="run"><dt>Claimed</dt><dd>{}</dd></div>
                <div class="trouble"><dt>To retry</dt><dd>{}</dd></div>
                <div class="done"><dt>Done</dt><dd>{}</dd></div>
                <div class="dead"><dt>Dead</dt><dd>{}</dd></div>
                </dl></section>""", queue.name(), queue.name(), Html.when(view.paused(), Html.of(" (paused)")),
                String.format(Locale.ROOT, "%.1f", status.drainedPerSecond()), count(view.waiting()),
                count(view.running()), count(view.delayed()), count(view.done()), count(view.dead()));
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private Html dead() {
        List<JobView> letters = Stream.of(counter.checkouts(), counter.mails()).flatMap(queue -> orderly.jobs()
                .list(queue.name(), JobState.DEAD, null, DEAD_SHOWN).stream()).toList();
        if (letters.isEmpty()) {
            return Html.of("""
                    <p class="hint">None. A job gets here when its attempts are spent, or when trying again cannot help:
                    buy a ticket with an address that ends in <code>.invalid</code>.</p>""");
        }
        return Html.of("""
                <ul class="letters">{}</ul>
                <form method="post" action="/behind-the-scenes/redrive"><p class="actions">
                <button class="button quiet">Redrive all mails</button>
                <span class="hint">Mails with a wrong address come back. Open an order to correct its
                address.</span></p></form>""", Html.join(letters.stream().map(this::letter).toList()));
    }

    private Html letter(JobView job) {
        return Html.of("<li><span>{} <span class=\"hint\">{} · {}</span></span> <span class=\"problem\">{}</span></li>",
                order(job), job.queue(), link(job), failure(job));
    }

    private Html latest() {
        List<JobView> jobs = Stream.of(counter.checkouts(), counter.mails())
                .flatMap(queue -> SHOWN.stream()
                        .flatMap(state -> orderly.jobs().list(queue.name(), state, null, EACH).stream()))
                .sorted(Comparator.comparingInt(job -> SHOWN.indexOf(job.state()))).toList();
        if (jobs.isEmpty()) {
            return Html.of("<p class=\"hint\">None yet. <a href=\"/\">Buy a ticket</a>, or send the crowd.</p>");
        }
        return Html.of("<ul class=\"rows\">{}</ul>", Html.join(jobs.stream().map(this::line).toList()));
    }

    private Html line(JobView job) {
        return Html.of("""
                <li><span class="what">{}</span> <span class="badge {}">{}</span>
                <span class="hint">{}{}{}</span> {}</li>""", order(job), tone(job.state()), job.state().text(),
                job.queue(), attempts(job), job.failure() == null ? "" : ": " + failure(job), link(job));
    }

    private Html link(JobView job) {
        return Html.of("<span class=\"id\">{}</span>", room.dashboard("/jobs/" + job.id(),
                Html.of("Job<span class=\"sr\"> {}</span>", job.id())));
    }

    /** What happened so far, beyond a first attempt. */
    static String attempts(JobView job) {
        String failed = switch (job.failures()) {
            case 0 -> "";
            case 1 -> ", failed once";
            default -> ", failed " + job.failures() + " times";
        };
        return (job.attempt() > 1 ? ", attempt " + job.attempt() : "") + failed;
    }

    private static Html order(JobView job) {
        String order = job.params().get(Counter.ORDER);
        return order == null
                ? Html.of("<code>{}</code>", job.id())
                : Html.of("<a href=\"/orders/{}\">{}</a>", order, order);
    }

    private static String failure(JobView job) {
        JobFailure failure = job.failure();
        return failure == null ? "" : failure.summary();
    }

    static String tone(JobState state) {
        return switch (state) {
            case WAITING, CANCELLED -> "wait";
            case DELAYED -> "trouble";
            case RUNNING -> "run";
            case DONE -> "done";
            case DEAD -> "dead";
        };
    }
}
