package dev.orderly.dashboard.room;

import dev.orderly.dashboard.overview.RoomSummary;
import dev.orderly.dashboard.page.Figures;
import dev.orderly.dashboard.page.Link;
import dev.orderly.dashboard.page.Page;
import dev.orderly.history.HistoryRange;
import dev.orderly.operate.RoomControl;
import dev.orderly.room.Beacon;
import dev.orderly.room.Draw;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.Opening;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.crowd.PlaceReport;
import dev.orderly.room.gate.RefusalReport;
import dev.orderly.room.gate.RoomFront;
import dev.orderly.room.gate.RoomRefusals;
import dev.orderly.store.watch.StoreWatch.Outage;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One room.
 *
 * @param previewed whether the waiting page can be previewed
 * @param invitations the newest series; null for a viewer, and in a room without invitations
 */
public record RoomPage(RoomSummary summary, RoomOptions options, Gates gates, HistoryRange range, boolean previewed,
        @Nullable List<InvitationSeries.Row> invitations)
        implements
            Page {
    private static final int DOTS_MAX = 30;

    /**
     * What the gates of the room know.
     *
     * @param places who took places lately; null for a viewer, since addresses are personal data
     * @param beaconFailure why this node could not fetch the value that the draw waits for; null for no failure
     */
    public record Gates(RoomFront front, RefusalReport refusals, @Nullable PlaceReport places,
            @Nullable String beaconFailure) {}

    /** A cause of refusals in words. */
    public static String text(RoomRefusals.Cause cause) {
        return switch (cause) {
            case JOINS_PER_ADDRESS -> "An address took more places than joins-per-address allows";
            case UNTAKEN_PER_ADDRESS -> "An address has as many unshown passes as untaken-per-address allows";
            case ADDRESSES_PER_PASS -> "A pass was shown from more addresses than addresses-per-pass allows";
            case FORWARDED_FOR_NOT_TRUSTED -> "X-Forwarded-For came from a peer that is no trusted proxy";
            case TOKEN -> "No shown ticket or pass counted: old, copied or made up";
            case CHECK_REFUSED -> "The check gave the visitor no place";
            case CHECK_SLOWED -> "The check let the visitor wait before a place";
            case CHECK_FAILED -> "The check gave no verdict in time, and its on-failure decided";
            case PROOF_OF_WORK -> "The network had taken many places: work or a wait before the next";
            case NOT_SIGNED_IN -> "Only users have places, and the visitor was not signed in";
            case ONE_PER_USER -> "A user asked for a second place, and got the first";
            case MODE -> "The mode of the room turned the visitor away";
            case STORE -> "The store was out of reach";
        };
    }

    /** The nodes that refused, with their numbers where there are several. */
    public static String nodes(RefusalReport.Row row) {
        return row.gates().size() == 1
                ? row.gates().keySet().iterator().next()
                : new TreeMap<>(row.gates()).entrySet().stream().map(each -> each.getKey() + " ("
                        + Figures.count(each.getValue()) + ")").collect(Collectors.joining(", "));
    }

    @Override
    public String title() {
        return summary.state().room().value();
    }

    @Override
    public List<Link> trail() {
        return List.of(new Link("Rooms", "/rooms"));
    }

    @Override
    public String template() {
        return "room/room.jte";
    }

    public RoomState state() {
        return summary.state();
    }

    /** Why visitors enter at the present pace. */
    public String rule() {
        Outage outage = summary.outage();
        return outage == null
                ? LimitInWords.of(state(), options)
                : "The store of the room does not answer. Visitors inside stay, waiting visitors keep their places; "
                        + (outage.part().shared()
                                ? "nobody new enters until it is back."
                                : "the last rate goes on for a minute, then nobody new enters.");
    }

    /** Circles of a drawn crowd: as many as people, up to a bound. */
    public int dots(long people) {
        return (int) Math.min(DOTS_MAX, people);
    }

    /** Waiting visitors of whom the store knows that they are present. */
    public long present() {
        return Math.max(0, state().load().known() - state().load().door());
    }

    /** Called visitors who have neither entered nor are present. */
    public long absent() {
        return Math.max(0, state().called() - state().pace().admitted() - state().load().door());
    }

    /** The limits set, in words. */
    public String limits() {
        return RoomControl.words(state().limitsSet(options));
    }

    /** The next change of the limits by the clock; null for none. */
    public LimitTimetable.@Nullable Change nextLimits() {
        return state().nextLimits(options).orElse(null);
    }

    /** What the openings of the room mean; null for a room without openings. */
    public @Nullable OpeningStatus opening() {
        return state().opening(options, state().at());
    }

    /** The opening that can be moved, which forms compare; null if none is to come. */
    public @Nullable String openingToCome() {
        OpeningStatus status = opening();
        Opening next = status == null ? null : status.opening();
        return next == null || next.opens().toInstant().isBefore(state().at()) ? null : RoomControl.words(status);
    }

    /** The time of the opening to come, as the form of another time begins. */
    public String opens() {
        OpeningStatus status = opening();
        return status == null || status.opening() == null ? "" : Opening.text(status.opening().opens());
    }

    /** The beacon whose value the draw waits for; null if none does. */
    public @Nullable String awaitedBeacon() {
        return state().draws().pending().filter(Draw::awaitsValue).map(Draw::beacon).map(Beacon::source).orElse(null);
    }

    /** The failure to fetch the value that the draw waits for, in words; null for none. */
    public @Nullable String beaconFailure() {
        return gates.beaconFailure() == null
                ? null
                : "The draw waits for " + awaitedBeacon() + ", and " + gates.beaconFailure()
                        + ". It is asked again; the value can also be typed below.";
    }

    /** What the openings mean, in words. */
    public static String words(OpeningStatus status) {
        String moved = status.instead() == null ? "" : ", instead of " + Opening.text(status.instead());
        String next = RoomControl.words(status);
        String cancelled = status.cancelled() == null
                ? ""
                : " The opening at " + Opening.text(status.cancelled()) + " is cancelled.";
        return switch (status.phase()) {
            case BETWEEN -> status.opening() == null
                    ? "The last opening is over, and the room is open."
                    : (status.admits()
                            ? "Open until the lobby of the next opening, "
                            : "Closed until the next"
                                    + " opening, ")
                            + next + moved + ".";
            case LOBBY -> "In the lobby: visitors take places, and nobody enters before " + next + moved + ".";
            case DRAWING ->
                "The lobby of the opening at " + next + " is over: nobody enters before its places are drawn.";
            case SELLING -> "Open since " + next + ".";
            case CLOSED -> "The last opening is over.";
        } + cancelled;
    }

    /** The admissions of the rate set; null without one. */
    public @Nullable Integer admissions() {
        Rate rate = state().limitsSet(options).rate();
        return rate == null ? null : (Integer) rate.admissions();
    }

    /** The period of the rate set in seconds; null without one. */
    public @Nullable Long seconds() {
        Rate rate = state().limitsSet(options).rate();
        return rate == null ? null : (Long) rate.period().toSeconds();
    }

    /** The message in words, which the form of a message compares. */
    public String shownMessage() {
        return RoomControl.words(state().message());
    }

    /** The message as a text to edit. */
    public String editedMessage() {
        return MessageText.of(state().message());
    }

    /** A mode and what it does. */
    public record Mode(String name, String text) {}

    /** All modes. */
    public List<Mode> modes() {
        return Stream.of(RoomMode.values()).map(mode -> new Mode(RoomControl.words(mode), switch (mode) {
            case AUTO -> "Visitors enter as the limits allow.";
            case SHADOW -> "Everybody passes; the line shows who would have waited.";
            case HOLD -> "Nobody new enters, except visitors you admit. The line grows; visitors inside stay.";
            case OPEN -> "Everybody passes; no line is kept.";
            case DRAIN -> "Who is in line enters as the limits allow; others are turned away.";
            case REJECT -> "Who has no pass is turned away; places in line are kept.";
        })).toList();
    }

    /** What a new epoch ends. */
    public String ended() {
        return Figures.of(state().waiting(), "waiting place") + ", and those of "
                + Figures.of(state().load().active(), "visitor") + " inside";
    }
}
