package dev.orderly.web.room.page;

import dev.orderly.Internal;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.forecast.PeopleAhead;
import dev.orderly.room.forecast.WaitEstimate.Cause;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.page.Language;
import dev.orderly.web.page.Languages;
import dev.orderly.web.page.ReaderLanguages;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The waiting pages of rooms with sample figures, by the code that answers visitors, for operators. Thread-safe. */
@Internal(to = "dev.orderly")
public final class SamplePages {
    private static final Duration REFRESH = Duration.ofMinutes(5);
    private static final String LEFT = "left";
    private static final Map<String, PageState> STATES = samples();

    private final RoomEngine rooms;
    private final Function<RoomName, Optional<WaitingPage>> pages;

    /**
     * A rendered page.
     *
     * @param contentSecurityPolicy the header it needs, which lets pages of the same host frame it
     */
    public record SamplePage(String html, String contentSecurityPolicy) {}

    /** @param pages the page of a room; empty for a room without one */
    public SamplePages(RoomEngine rooms, Function<RoomName, Optional<WaitingPage>> pages) {
        this.rooms = rooms;
        this.pages = pages;
    }

    private static Map<String, PageState> samples() {
        Map<String, PageState> states = new LinkedHashMap<>();
        ShownWait wait = new ShownWait(Duration.ofMinutes(8), Duration.ofMinutes(12));
        states.put("waiting",
                new PageState.Waiting(new ShownPosition(1_431, PeopleAhead.known(231), 0.62, wait, Cause.STEADY)));
        states.put("waiting-unknown",
                new PageState.Waiting(
                        new ShownPosition(1_431, PeopleAhead.known(231), 0.1, null, Cause.WAITS_FOR_LEAVERS)));
        states.put("door", new PageState.Door(new ShownPosition(1_201, PeopleAhead.known(1), 0.99,
                new ShownWait(Duration.ZERO, Duration.ofSeconds(5)), Cause.STEADY)));
        states.put("turn", new PageState.Turn());
        states.put("held",
                new PageState.Held(new ShownPosition(1_431, PeopleAhead.known(231), 0.62, null, Cause.HELD)));
        ZonedDateTime opens = ZonedDateTime.parse("2027-03-01T10:00+01:00[Europe/Berlin]");
        states.put("lobby",
                new PageState.Lobby(new ShownPosition(1_431, PeopleAhead.known(1_430), 0, null, Cause.OPENING),
                        new ShownOpening(opens, Duration.ofSeconds(1_499), null, ShownOpening.Change.NONE,
                                new ShownOpening.Crowd(80_000, 5_000))));
        ShownOpening drawn = new ShownOpening(opens, Duration.ofSeconds(1_499), null, ShownOpening.Change.NONE,
                new ShownOpening.Crowd(80_000, 5_000), new ShownOpening.Draw("5e".repeat(32), false, true));
        states.put("lobby-draw", new PageState.Lobby(new ShownPosition(1_431, PeopleAhead.known(1_430), 0, null,
                Cause.OPENING), drawn));
        states.put("drawing", new PageState.Lobby(new ShownPosition(1_431, PeopleAhead.known(1_430), 0, null,
                Cause.OPENING),
                new ShownOpening(opens, Duration.ZERO, null, ShownOpening.Change.NONE, drawn.crowd(),
                        new ShownOpening.Draw("5e".repeat(32), true, false))));
        states.put("drawn", new PageState.Waiting(
                new ShownPosition(1_431, PeopleAhead.known(231), 0.62, wait, Cause.STEADY, true, null)));
        states.put("opens", new PageState.Opens(new ShownOpening(opens, Duration.ofHours(49),
                opens.minusMinutes(30), new ShownOpening.Change(opens.minusHours(1), null), null)));
        states.put("closed", new PageState.Closed());
        states.put("too-many", new PageState.TooMany(Duration.ofSeconds(40)));
        states.put("slowed", new PageState.Slowed());
        states.put("working", new PageState.Working("{\"parameters\":{\"algorithm\":\"none\"}}"));
        states.put("refused", new PageState.Refused());
        states.put("unavailable", new PageState.Unavailable());
        return states;
    }

    /** The states of a visitor that have a page. */
    public static List<String> states() {
        return Stream.concat(STATES.keySet().stream(), Stream.of(LEFT)).toList();
    }

    /** The tags of the languages, in lower case. */
    public static List<String> languages() {
        return Languages.all().stream().map(SamplePages::tag).toList();
    }

    private static String tag(Language language) {
        return language.tag().toLowerCase(Locale.ROOT);
    }

    /** @return empty for an unknown room, state or language */
    public Optional<SamplePage> page(RoomName room, String state, String tag) {
        Optional<WaitingPage> page = pages.apply(room);
        Optional<Language> language = Languages.all().stream().filter(each -> tag(each).equals(tag)).findFirst();
        PageState shown = STATES.get(state);
        if (page.isEmpty() || language.isEmpty() || (shown == null && !state.equals(LEFT))) {
            return Optional.empty();
        }
        byte[] html = shown == null
                ? page.get().left(ReaderLanguages.of(language.get()), "#")
                : page.get().render(view(rooms.find(room).orElseThrow(), shown, language.get()),
                        ReaderLanguages.of(language.get()));
        return Optional
                .of(new SamplePage(new String(html, StandardCharsets.UTF_8), page.get().contentSecurityPolicy()));
    }

    private static PageView view(Room room, PageState shown, Language language) {
        Limits limits = room.state().limits();
        ShownLimits rule = new ShownLimits(limits.mostAdmissions()
                .map(rate -> new ShownLimits.Rate(rate.admissions(), rate.period())).orElse(null),
                limits.mostPasses().map(Integer::longValue).orElse(null));
        LocalizedText message = room.state().message();
        return new PageView(shown, rule, message == null ? null : ReaderLanguages.of(language).choose(message),
                REFRESH, room.options().move() ? "#" : null, room.options().tiers().invited().isEmpty() ? null : "#");
    }
}
