package dev.orderly.boxoffice.web;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomState;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.gate.Room;
import dev.orderly.room.store.RoomChange;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The room in front of the ticket pages, and the buttons that operate it. Empty without a server in front. */
final class RoomPanel {
    /** The number of visitors that the button admits. */
    private static final int BY_HAND = 10;

    private volatile @Nullable ServerInFront server;

    void behind(ServerInFront front) {
        server = front;
    }

    Html html() {
        return room().map(RoomPanel::html).orElse(Html.NONE);
    }

    /** Operates the room; false if there is none, or no such action. */
    boolean operate(String action) {
        RoomChange change = switch (action) {
            case "hold" -> new RoomChange.Mode(RoomMode.HOLD);
            case "auto" -> new RoomChange.Mode(RoomMode.AUTO);
            case "admit" -> new RoomChange.Admit(BY_HAND);
            default -> null;
        };
        ServerInFront front = server;
        if (front == null || change == null) {
            return false;
        }
        front.rooms().change(front.room(), change);
        return true;
    }

    /** A link to a page of the dashboard; the text alone without a server in front. */
    Html dashboard(String path, Object text) {
        ServerInFront front = server;
        return front == null
                ? Html.of("{}", text)
                : Html.of("<a href=\"{}{}\">{}</a>", front.admin(), path, text);
    }

    private Optional<Room> room() {
        ServerInFront front = server;
        return front == null ? Optional.empty() : front.rooms().find(front.room());
    }

    private static Html html(Room room) {
        RoomState state = room.state();
        boolean held = state.mode() == RoomMode.HOLD;
        return Html.of("""
                <section class="card" aria-labelledby="door-title">
                <div class="row"><div><h2 id="door-title">The line at the door</h2>
                <div id="door" data-live><p class="mode">{}</p>
                <dl class="figures"><div><dt>In line</dt><dd>{}</dd></div>
                <div><dt>Inside</dt><dd>{}</dd></div>
                <div><dt>Let in, last minute</dt><dd>{}</dd></div>
                <div><dt>Wait for the next</dt><dd>{}</dd></div></dl></div></div>
                <div class="actions">{}{}</div></div>
                </section>""", mode(state), number(waiting(state)), inside(state), number(state.pace().admitted60()),
                wait(state, room.forNewcomer()),
                held ? button("auto", "Let visitors in again") : button("hold", "Hold the line"),
                button("admit", "Let in " + BY_HAND + " now"));
    }

    /** Visitors who are present and not yet inside, and those in line behind them. */
    private static long waiting(RoomState state) {
        return state.waiting() + state.load().door();
    }

    private static Html button(String action, String text) {
        return Html.of("""
                <form method="post" action="/behind-the-scenes/{}"><button class="button quiet">{}</button></form>
                """, action, text);
    }

    private static Html mode(RoomState state) {
        Limits limits = state.limits();
        return switch (state.mode()) {
            case HOLD -> Html.of("<span class=\"badge trouble\">Held: nobody is let in, the line grows</span>");
            case AUTO, DRAIN -> Html.of("<span class=\"badge done\">Open: {} inside at most, {}</span>",
                    limits.mostPasses().map(String::valueOf).orElse("any number"),
                    limits.mostAdmissions().map(rate -> rate.admissions() + " let in per " + rate.period().toSeconds()
                            + " seconds").orElse("at any pace"));
            case OPEN, SHADOW -> Html.of("<span class=\"badge done\">Open to all: no line is kept</span>");
            case REJECT -> Html.of("<span class=\"badge dead\">Closed: visitors are turned away</span>");
        };
    }

    private static String inside(RoomState state) {
        return number(state.load().active())
                + state.limits().mostPasses().map(most -> " of " + number(most)).orElse("");
    }

    private static String wait(RoomState state, WaitEstimate estimate) {
        Duration low = estimate.low();
        Duration high = estimate.high();
        if (waiting(state) == 0 && state.mode() != RoomMode.HOLD) {
            return "none";
        }
        if (low == null || high == null) {
            return "unknown";
        }
        return high.toSeconds() < 60
                ? "under a minute"
                : Math.max(1, low.toMinutes()) + " to " + (high.toMinutes() + 1) + " min";
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
