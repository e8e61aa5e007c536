package dev.orderly.web.room.page;

import dev.orderly.room.RoomName;
import dev.orderly.room.forecast.PeopleAhead;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.text.ChosenText;
import dev.orderly.web.page.ReaderLanguages;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sample pages. */
final class Pages {
    static final ShownLimits RULE = new ShownLimits(new ShownLimits.Rate(5, Duration.ofSeconds(15)), 200L);
    static final ShownPosition STANDING = new ShownPosition(5318, PeopleAhead.known(412), 0.61,
            new ShownWait(Duration.ofMinutes(8), Duration.ofMinutes(
                    12), 8),
            WaitEstimate.Cause.SLOWER_BUSY);
    static final ZonedDateTime OPENS = ZonedDateTime.parse("2027-03-01T10:00+01:00[Europe/Berlin]");
    static final PageState WAITING = new PageState.Waiting(STANDING);
    static final List<PageState> STATES = List.of(WAITING, new PageState.Door(STANDING), new PageState.Turn(),
            new PageState.Held(STANDING), new PageState.Closed(), new PageState.TooMany(Duration.ofSeconds(20)),
            new PageState.Unavailable(), new PageState.Slowed(), new PageState.Refused(),
            new PageState.Working("{\"parameters\":{}}"), lobby(null), new PageState.Opens(new ShownOpening(OPENS,
                    Duration.ofHours(49), OPENS.minusMinutes(30), ShownOpening.Change.NONE, null)));

    private Pages() {}

    /** @param instead the time announced before */
    static PageState.Lobby lobby(@Nullable ZonedDateTime instead) {
        return new PageState.Lobby(new ShownPosition(1_431, PeopleAhead.known(1_430), 0, null,
                WaitEstimate.Cause.OPENING),
                new ShownOpening(OPENS, Duration.ofSeconds(1_499), null, new ShownOpening.Change(instead, null),
                        new ShownOpening.Crowd(80_000, 5_000)));
    }

    /** A lobby whose places are drawn. */
    static PageState.Lobby drawnLobby(boolean drawing) {
        ShownOpening plain = lobby(null).opening();
        return new PageState.Lobby(lobby(null).position(), new ShownOpening(plain.opens(), plain.until(), null,
                plain.change(), plain.crowd(), new ShownOpening.Draw("5e".repeat(32), drawing, !drawing)));
    }

    static WaitingPage standard() {
        return with(PageLook.titled("Lantern Festival"));
    }

    static WaitingPage with(PageLook look) {
        return new WaitingPage(new RoomName("sale"), look, PageTemplate.standard());
    }

    static PageView view(PageState state, @Nullable String message) {
        return new PageView(state, RULE, message == null ? null : new ChosenText(message, null),
                Duration.ofSeconds(20));
    }

    static String html(WaitingPage page, PageView view, String language) {
        return new String(page.render(view, ReaderLanguages.of(List.of(language))), StandardCharsets.UTF_8);
    }
}
