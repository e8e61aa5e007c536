package dev.orderly.boxoffice.web;

import dev.orderly.Orderly;
import dev.orderly.boxoffice.shop.Checkout;
import dev.orderly.boxoffice.shop.Order;
import dev.orderly.boxoffice.shop.Seats;
import dev.orderly.boxoffice.shop.Shop;
import dev.orderly.boxoffice.shop.Show;
import dev.orderly.boxoffice.shop.Stage;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One order, live: the ticket, its stage, its history, and its jobs. */
final class OrderPage {
    private static final Set<JobState> MOVING = Set.of(JobState.WAITING, JobState.DELAYED, JobState.RUNNING);

    private final Orderly orderly;
    private final Shop shop;
    private final RoomPanel server;

    OrderPage(Orderly orderly, Shop shop, RoomPanel server) {
        this.orderly = orderly;
        this.shop = shop;
        this.server = server;
    }

    Html page(Order order, String visitor) {
        return page(order, visitor, null);
    }

    /**
     * The page.
     *
     * @param visitor the requesting visitor; visitors other than the customer see the page too, but get updates only by
     *     asking again
     * @param wrongMail an invalid address that the visitor entered as the correction; null if there is none
     */
    Html page(Order order, String visitor, @Nullable String wrongMail) {
        Optional<JobView> checkout = orderly.jobs().find(order.checkoutJob());
        JobId mailJob = order.mailJob();
        Optional<JobView> mail = mailJob == null ? Optional.empty() : orderly.jobs().find(mailJob);
        boolean dead = is(checkout, JobState.DEAD) || is(mail, JobState.DEAD);
        // An undeliverable mail is settled a moment after the shop records it, so the page updates until both agree.
        boolean moving = !dead && (!order.stage().isOver() || order.stage() == Stage.UNDELIVERABLE);
        String headline = headline(order, is(checkout, JobState.DEAD));
        return Layout.livePage("Order " + order.id(), "", moving,
                Html.of("""
                        <div class="narrow">
                        <p class="kicker">Order {}</p>
                        <h1 id="headline" data-live="{}">{}</h1>
                        <p class="sr" id="said" role="status" data-live>{}</p>
                        {}
                        <div id="clicks" data-live>{}</div>
                        <div id="ticket" data-live>{}</div>
                        <div id="correction" data-live>{}{}</div>
                        <section aria-labelledby="happened"><h2 id="happened">What happened</h2>
                        <ol class="history" id="history" data-live>{}</ol></section>
                        <section aria-labelledby="jobs"><h2 id="jobs">Its jobs</h2>
                        <div id="facts" data-live>{}</div>
                        <p class="hint">The API shows the same at <code>/api/v1/jobs/</code> and the job’s id.</p></section>
                        <p class="actions"><a class="button quiet" href="/tickets/{}">Buy more tickets</a>
                        <a class="button quiet" href="/behind-the-scenes">Behind the scenes</a></p>
                        </div>""",
                        order.id(), moving ? "on" : "off", headline, headline,
                        Html.when(order.customer().equals(visitor),
                                Html.of("{}{}", Layout.PULSE, ahead(checkout, mail))),
                        clicks(order), ticket(order), Html.when(is(mail, JobState.DEAD), correction(order, wrongMail)),
                        Html.when(order.stage() == Stage.APPROVAL, approval(order)),
                        history(order), facts(checkout, mail), order.checkout().show()));
    }

    /** The place where the script shows the progress or the position in line of the job that ends next. */
    private static Html ahead(Optional<JobView> checkout, Optional<JobView> mail) {
        Optional<JobView> next = mail.isPresent() ? mail : checkout;
        return Html.of("<p class=\"ahead\" id=\"ahead\" data-job=\"{}\" hidden></p>",
                next.filter(job -> MOVING.contains(job.state())).map(job -> job.id().toString()).orElse(""));
    }

    private static boolean is(Optional<JobView> job, JobState state) {
        return job.map(JobView::state).orElse(null) == state;
    }

    private String headline(Order order, boolean dead) {
        if (dead) {
            return "The bank could not be reached. Someone has to look into it.";
        }
        return switch (order.stage()) {
            case RECEIVED -> isFirst(order) ? "Your order is in." : "Your order is in, behind an earlier one of yours.";
            case APPROVAL -> "A large order. The box office has a look.";
            case DECLINED -> "Declined. You were not charged.";
            case CHARGING -> "Asking the bank …";
            case CHARGE_FAILED -> "The bank did not answer. Trying again.";
            case SOLD_OUT -> "Sold out. You were not charged.";
            case PAID -> "Paid. Your tickets are on their way.";
            case MAIL_FAILED -> "Paid. The mail did not get through yet, trying again.";
            case UNDELIVERABLE -> "Paid, but the mail bounced.";
            case SENT -> "You are going!";
        };
    }

    private boolean isFirst(Order order) {
        return shop.ordersOf(order.customer()).stream()
                .filter(other -> other.checkoutJob().compareTo(order.checkoutJob()) < 0)
                .allMatch(other -> other.stage().isPaid() || other.stage().isOver());
    }

    private static Html clicks(Order order) {
        return Html.when(order.arrivals() > 1, Html.of("""
                <p class="notice"><strong>This order arrived {} times.</strong> It has one number, so it is one job:
                you are charged once.</p>""", order.arrivals()));
    }

    private Html ticket(Order order) {
        Checkout checkout = order.checkout();
        Show show = shop.show(checkout.show()).orElseThrow();
        Seats seats = order.seats();
        return Html.of("""
                <section class="ticket {}" aria-label="Ticket">
                <div class="stub"><p class="when"><span>{}</span> <span>{}</span></p><h2>{}</h2>
                <dl><div><dt>Name</dt><dd>{}</dd></div><div><dt>Tickets</dt><dd>{}</dd></div>
                <div><dt>Seats</dt><dd>{}</dd></div><div class="wide"><dt>Sent to</dt><dd>{}</dd></div></dl></div>
                <div class="tear"><p class="price">{}</p>{}</div>
                </section>
                <ol class="steps" aria-label="Progress">{}</ol>""", OrdersPage.tone(order), SalePage.day(show),
                show.venue(), show.title(), checkout.name(), checkout.tickets(),
                seats == null ? "not yet given" : seats, order.mail(),
                Show.euros(show.cents() * checkout.tickets()), OrdersPage.badge(order), steps(order));
    }

    private static Html steps(Order order) {
        Stage stage = order.stage();
        if (stage == Stage.SOLD_OUT || stage == Stage.DECLINED) {
            return Html.join(List.of(step("done", "Received"), step("trouble", stage.text())));
        }
        String pay = stage.isPaid()
                ? "done"
                : stage == Stage.CHARGE_FAILED ? "trouble" : stage == Stage.CHARGING ? "run" : "wait";
        String mail = switch (stage) {
            case SENT -> "done";
            case MAIL_FAILED -> "trouble";
            case UNDELIVERABLE -> "dead";
            case PAID -> "run";
            case RECEIVED, APPROVAL, DECLINED, CHARGING, CHARGE_FAILED, SOLD_OUT -> "wait";
        };
        boolean bounced = stage == Stage.UNDELIVERABLE;
        return Html.join(List.of(step("done", "Received"), step(pay, "Preparing"),
                step(mail, bounced ? "Bounced" : "Packaging"), step(stage == Stage.SENT ? "done" : "wait", "Shipped")));
    }

    private static Html step(String tone, String name) {
        String state = switch (tone) {
            case "done" -> "done";
            case "run" -> "under way";
            case "trouble" -> "trouble";
            case "dead" -> "failed";
            default -> "to come";
        };
        return Html.of("<li class=\"{}\"><span class=\"name\">{}</span> <span class=\"sr\">{}</span></li>", tone, name,
                state);
    }

    private static Html correction(Order order, @Nullable String wrongMail) {
        return Html.of("""
                <form class="card" method="post" action="/orders/{}/address" novalidate>
                <h2>Correct the address</h2>
                <p>The mail server knows no {}. The mail is a dead letter now: kept, not lost. Give it an address that
                works and it is sent.</p>
                <div class="field"><label for="mail">Send the tickets to</label>
                <input id="mail" name="mail" type="email" maxlength="160" autocomplete="email" value="{}" required{}{}>
                {}</div>
                <p class="actions"><button class="button">Correct and send again</button></p>
                </form>""", order.id(), order.mail(), wrongMail == null ? order.mail() : wrongMail,
                Html.when(wrongMail != null, Html.of(" autofocus")),
                Html.when(wrongMail != null, Html.of(" aria-invalid=\"true\" aria-describedby=\"mail-problem\"")),
                Html.when(wrongMail != null, Html.of("<p class=\"problem\" id=\"mail-problem\" role=\"alert\">Enter an"
                        + " address such as ann@example.com.</p>")));
    }

    /** The answer is an event that the job awaits, which in a real shop comes from the staff. */
    private static Html approval(Order order) {
        return Html.of("""
                <form class="card" method="post" action="/orders/{}/approval">
                <h2>You are the box office</h2>
                <p>The job waits for this answer and holds nothing meanwhile: no handler, no seat, no money. The
                dashboard’s page of the job and <code>orderly job event</code> can send it too.</p>
                <p class="actions"><button class="button" name="answer" value="yes">Approve the order</button>
                <button class="button quiet" name="answer" value="no">Decline it</button></p>
                </form>""", order.id());
    }

    private static Html history(Order order) {
        Instant start = order.checkoutJob().pushedAt();
        return Html.join(order.history().stream().map(note -> Html.of(
                "<li{}><span class=\"time\">{} s</span> <span>{}</span></li>",
                Html.when(note.trouble(), Html.of(" class=\"trouble\"")), seconds(start, note.at()), note.text()))
                .toList());
    }

    private static String seconds(Instant start, Instant at) {
        double seconds = Math.max(0, Duration.between(start, at).toMillis()) / 1000.0;
        return String.format(Locale.ROOT, "%.1f", seconds);
    }

    private Html facts(Optional<JobView> checkout, Optional<JobView> mail) {
        return Html.of("<ul class=\"rows\">{}{}</ul>", checkout.map(this::fact).orElse(Html.NONE),
                mail.map(this::fact).orElse(Html.NONE));
    }

    private Html fact(JobView job) {
        return Html.of("""
                <li><span class="what">{}</span> <span class="badge {}">{}</span>
                <span class="hint">{}{}</span> <code class="id">{}</code></li>""", job.queue(),
                ScenesPage.tone(job.state()), state(job),
                job.group() == null ? "in any order" : "in the order of your purchases",
                ScenesPage.attempts(job),
                server.dashboard("/jobs/" + job.id(), job.id()));
    }

    private String state(JobView job) {
        Instant due = job.dueAt();
        if (due == null) {
            return job.state().text();
        }
        long left = Math.max(1, Math.ceilDiv(Duration.between(orderly.jobs().now(), due).toMillis(), 1000));
        return "again in " + left + " s";
    }
}
