package dev.orderly.dashboard.room;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardResponse;
import dev.orderly.dashboard.exchange.Refused;
import dev.orderly.dashboard.exchange.Route;
import dev.orderly.dashboard.page.Figures;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.VisitorDiagnosis;
import dev.orderly.room.gate.VisitorPresence;
import dev.orderly.room.gate.VisitorQuery;
import dev.orderly.room.store.RoomChange;
import dev.orderly.text.LocalizedText;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The changes of rooms, and the question why a visitor waits. */
final class RoomActions {
    private final PageContext context;
    private final RoomEngine rooms;

    RoomActions(PageContext context, RoomEngine rooms) {
        this.context = context;
        this.rooms = rooms;
    }

    List<Route> routes() {
        return List.of(route("/mode", Role.OPERATOR, this::mode), route("/limits", Role.OPERATOR, this::limits),
                route("/admit", Role.OPERATOR, this::admit), route("/message", Role.OPERATOR, this::message),
                route("/epoch", Role.OPERATOR, this::epoch), route("/revoke", Role.OPERATOR, this::revoke),
                route("/why", Role.VIEWER, this::why));
    }

    private static Route route(String path, Role least, Route.Answer answer) {
        return new Route("POST", "/rooms/{room}" + path, least, answer);
    }

    private DashboardResponse mode(DashboardRequest request) {
        Room room = RoomPages.room(rooms, request);
        RoomMode before = room.state().mode();
        String wanted = request.required("mode");
        RoomMode mode = Stream.of(RoomMode.values()).filter(each -> lower(each).equals(wanted)).findFirst()
                .orElseThrow(() -> invalid("There is no mode " + wanted + ": choose one of the list"));
        context.checkSeen(request, object(room), lower(before));
        change(request, "roomMode", lower(before), new RoomChange.Mode(mode), state -> lower(state.mode()));
        return context.done(Notice.done(room.name() + " is in mode " + lower(mode)).withUndo(path(room, "/mode"),
                Map.of("mode", lower(before), "seen", lower(mode))));
    }

    private DashboardResponse limits(DashboardRequest request) {
        Room room = RoomPages.room(rooms, request);
        Limits configured = room.options().limits();
        Limits before = room.state().limitsSet(room.options());
        Limits wanted = request.field("configured") != null ? configured : given(request);
        context.checkSeen(request, object(room), RoomPage.limits(before));
        change(request, "limitRoom", RoomPage.limits(before),
                new RoomChange.Settings(wanted.equals(configured) ? null : wanted),
                state -> RoomPage.limits(state.limitsSet(room.options())));
        Map<String, String> undo = new HashMap<>(fields(before));
        undo.put("seen", RoomPage.limits(wanted));
        return context.done(Notice.done(room.name() + " has " + RoomPage.limits(wanted))
                .withDetail(wanted.equals(configured) ? "These are the configured limits" : null)
                .withUndo(path(room, "/limits"), undo));
    }

    private static Limits given(DashboardRequest request) {
        Integer capacity = number(request, "capacity");
        Integer admissions = number(request, "admissions");
        Integer seconds = number(request, "seconds");
        if ((admissions == null) != (seconds == null)) {
            throw invalid("A rate has a number of visitors and a number of seconds: fill in both, or none for no rate");
        }
        return bounded(() -> new Limits(capacity,
                admissions == null || seconds == null ? null : new Rate(admissions, Duration.ofSeconds(seconds))));
    }

    private static Map<String, String> fields(Limits limits) {
        Map<String, String> fields = new HashMap<>();
        limits.mostPasses().ifPresent(most -> fields.put("capacity", String.valueOf(most)));
        limits.mostAdmissions().ifPresent(rate -> {
            fields.put("admissions", String.valueOf(rate.admissions()));
            fields.put("seconds", String.valueOf(rate.period().toSeconds()));
        });
        return fields;
    }

    private DashboardResponse admit(DashboardRequest request) {
        Room room = RoomPages.room(rooms, request);
        Integer visitors = number(request, "visitors");
        if (visitors == null) {
            throw invalid("The number of visitors is empty: fill it in");
        }
        change(request, "admit", lower(room.state().mode()), bounded(() -> new RoomChange.Admit(visitors)),
                state -> "granted " + state.load().granted());
        return context.done(Notice.done("The next " + Figures.of(visitors, "visitor") + " of " + room.name() + " enter")
                .withDetail("As far as the capacity allows"));
    }

    private DashboardResponse message(DashboardRequest request) {
        Room room = RoomPages.room(rooms, request);
        LocalizedText before = room.state().message();
        RoomChange.Message message = bounded(() -> new RoomChange.Message(MessageText.parse(request.field("text"))));
        context.checkSeen(request, object(room), MessageText.line(before));
        change(request, "roomMessage", MessageText.line(before), message, state -> MessageText.line(state.message()));
        return context.done(Notice.done(message.text() == null
                ? "The waiting page has no message"
                : "Visitors see the message")
                .withDetail(message.text() == null ? null : MessageText.line(message.text()))
                .withUndo(path(room, "/message"),
                        Map.of("seen", MessageText.line(message.text()), "text", MessageText.of(before))));
    }

    private DashboardResponse epoch(DashboardRequest request) {
        Room room = RoomPages.room(rooms, request);
        String before = "epoch " + room.state().epoch();
        context.checkSeen(request, object(room), before);
        RoomState after = change(request, "roomEpoch", before, new RoomChange.NewEpoch(),
                state -> "epoch " + state.epoch());
        return context.done(Notice.done(room.name() + " begins anew with epoch " + after.epoch())
                .withDetail("All earlier tickets and passes are void"));
    }

    private DashboardResponse revoke(DashboardRequest request) {
        Room room = RoomPages.room(rooms, request);
        VisitorId visitor = VisitorId.parse(request.required("visitor")).orElseThrow(() -> invalid("The visitor is not"
                + " an id of 22 characters: use the header Orderly-Visitor of a request to the site"));
        context.change(request, "revokeVisitor", object(room), "visitor " + visitor, () -> {
            rooms.revoke(room.name(), visitor);
            return true;
        }, _ -> "revoked");
        return context.done(Notice.done("The visitor " + visitor + " has neither ticket nor pass any more")
                .withDetail("The next request takes a new place"));
    }

    private DashboardResponse why(DashboardRequest request) {
        Room room = RoomPages.room(rooms, request);
        VisitorDiagnosis why = rooms.diagnose(room.name(), VisitorQuery.parse(request.required("ticket")));
        return context.done(Notice.done(why.sentence()).withDetail(presence(why.presence()) + history(why.history())
                + why.remedy() + (why.unreachable().isEmpty()
                        ? ""
                        : " Did not answer, so what only they know is missing: "
                                + String.join(", ", why.unreachable()) + ".")));
    }

    private String history(VisitorDiagnosis.History history) {
        Instant joined = history.joined();
        VisitorId visitor = history.visitor();
        Instant voidUntil = history.stored().voidUntil();
        return (joined == null ? "" : "Joined " + Figures.between(joined, context.time().now()) + " ago. ")
                + (visitor == null ? "" : "Visitor id " + visitor + ". ")
                + (voidUntil == null ? "" : "Known as void until " + voidUntil + ". ");
    }

    private String presence(VisitorPresence presence) {
        Instant until = presence.until();
        String at = presence.gate() == null ? "" : ", seen by " + presence.gate();
        return until == null
                ? ""
                : (until.isAfter(context.time().now())
                        ? "Present" + at + ". "
                        : "Absent for " + Figures.between(until, context.time().now()) + at + ". ");
    }

    private RoomState change(DashboardRequest request, String operation, String before, RoomChange change,
            Function<RoomState, @Nullable String> after) {
        Room room = RoomPages.room(rooms, request);
        return context.change(request, operation, object(room), before, () -> rooms.change(room.name(), change), after);
    }

    private static String object(Room room) {
        return "room " + room.name();
    }

    private static String path(Room room, String action) {
        return "/rooms/" + room.name() + action;
    }

    static String lower(RoomMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable Integer number(DashboardRequest request, String field) {
        String text = request.field(field);
        try {
            return text == null ? null : Integer.valueOf(text);
        } catch (NumberFormatException _) {
            throw invalid("The field " + field + " is \"" + text + "\": use a whole number");
        }
    }

    private static <T> T bounded(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
    }

    private static Refused invalid(String detail) {
        return new Refused(422, "This cannot be done", detail);
    }
}
