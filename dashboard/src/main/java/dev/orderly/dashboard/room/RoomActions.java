package dev.orderly.dashboard.room;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.page.Figures;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.RoomControl;
import dev.orderly.operate.RoomControl.Changed;
import dev.orderly.operate.Targets;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.VisitorDiagnosis;
import dev.orderly.room.gate.VisitorPresence;
import dev.orderly.room.gate.VisitorQuery;
import dev.orderly.room.invitation.IssuedInvitations;
import dev.orderly.room.store.RoomChange;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.message.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The changes of rooms, and the question why a visitor waits. */
final class RoomActions {
    private final PageContext context;
    private final Targets targets;
    private final InvitationSeries invitations;

    RoomActions(PageContext context, Targets targets, InvitationSeries invitations) {
        this.invitations = invitations;
        this.context = context;
        this.targets = targets;
    }

    List<DashboardRoute> routes() {
        return List.of(route(OperationSpec.ROOM_MODE, "/mode", this::mode),
                route(OperationSpec.LIMIT_ROOM, "/limits", this::limits),
                route(OperationSpec.ADMIT, "/admit", this::admit),
                route(OperationSpec.OPEN_AT, "/open-at", this::openAt),
                route(OperationSpec.CANCEL_OPENING, "/cancel-opening", this::cancelOpening),
                route(OperationSpec.DRAW_VALUE, "/draw-value", this::drawValue),
                route(OperationSpec.ROOM_MESSAGE, "/message", this::message),
                route(OperationSpec.ROOM_EPOCH, "/epoch", this::epoch),
                route(OperationSpec.INVITE, "/invitations", this::invite),
                route(OperationSpec.REVOKE_INVITATIONS, "/invitations/revoke", this::revokeInvitations),
                route(OperationSpec.REVOKE_VISITOR, "/revoke", this::revoke),
                new DashboardRoute("POST", "/rooms/{room}/why", Role.VIEWER, this::why));
    }

    private static DashboardRoute route(OperationSpec operation, String path, DashboardRoute.Answer answer) {
        return new DashboardRoute(operation, "/rooms/{room}" + path, answer);
    }

    private Response mode(DashboardRequest request) {
        String wanted = request.required("mode");
        RoomMode mode = Stream.of(RoomMode.values()).filter(each -> RoomControl.words(each).equals(wanted)).findFirst()
                .orElseThrow(() -> invalid("There is no mode " + wanted + ": choose one of the list"));
        Changed changed = change(request, OperationSpec.ROOM_MODE, _ -> new RoomChange.Mode(mode));
        return context.done(Notice.done(changed.room().name() + " is in mode " + wanted).withUndo(
                path(changed.room(), "/mode"),
                Map.of("mode", RoomControl.words(changed.before().mode()), "seen", wanted)));
    }

    private Response limits(DashboardRequest request) {
        Changed changed = change(request, OperationSpec.LIMIT_ROOM, room -> {
            Limits configured = room.state().limitsConfigured(room.options());
            Limits wanted = request.field("configured") != null ? configured : given(request);
            return new RoomChange.Settings(wanted.equals(configured) ? null : wanted);
        });
        Room room = changed.room();
        String words = RoomControl.words(changed.after().limitsSet(room.options()));
        Map<String, String> undo = new HashMap<>(fields(changed.before().limitsSet(room.options())));
        undo.put("seen", words);
        return context.done(Notice.done(room.name() + " has " + words)
                .withDetail(changed.after().override() == null ? "These are the configured limits" : null)
                .withUndo(path(room, "/limits"), undo));
    }

    private static Limits given(DashboardRequest request) {
        Integer capacity = number(request, "capacity");
        Integer admissions = number(request, "admissions");
        Integer seconds = number(request, "seconds");
        if ((admissions == null) != (seconds == null)) {
            throw invalid("A rate has a number of visitors and a number of seconds: fill in both, or none for no rate");
        }
        return new Limits(capacity,
                admissions == null || seconds == null ? null : new Rate(admissions, Duration.ofSeconds(seconds)));
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

    private Response admit(DashboardRequest request) {
        Integer visitors = number(request, "visitors");
        if (visitors == null) {
            throw invalid("The number of visitors is empty: fill it in");
        }
        Room room = change(request, OperationSpec.ADMIT, _ -> new RoomChange.Admit(visitors)).room();
        return context.done(Notice.done("The next " + Figures.of(visitors, "visitor") + " of " + room.name() + " enter")
                .withDetail("As far as the capacity allows"));
    }

    private Response openAt(DashboardRequest request) {
        String closes = request.field("closes");
        Changed changed = change(request, OperationSpec.OPEN_AT, room -> room.movedOpening(
                Opening.parseTime(request.required("opens")), closes == null ? null : Opening.parseTime(closes)));
        return context.done(Notice.done(changed.room().name() + " opens at " + next(changed))
                .withDetail("Visitors read the new time beside the old one"));
    }

    private Response cancelOpening(DashboardRequest request) {
        Changed changed = change(request, OperationSpec.CANCEL_OPENING, Room::cancelledOpening);
        return context.done(Notice.done("The opening of " + changed.room().name() + " is cancelled")
                .withDetail("Next: " + next(changed)));
    }

    private Response drawValue(DashboardRequest request) {
        String value = request.required("value");
        Changed changed = change(request, OperationSpec.DRAW_VALUE, room -> room.drawValue(value));
        return context.done(Notice.done("The draw of " + changed.room().name() + " has the value " + value.strip())
                .withDetail("The places are drawn at once"));
    }

    /** The next opening after the change, which the room itself takes over a moment later. */
    private static String next(Changed changed) {
        Room room = changed.room();
        return RoomControl.words(changed.after().opening(room.options(), room.now()));
    }

    private Response message(DashboardRequest request) {
        Changed changed = change(request, OperationSpec.ROOM_MESSAGE,
                _ -> new RoomChange.Message(MessageText.parse(request.field("text"))));
        LocalizedText message = changed.after().message();
        String words = RoomControl.words(message);
        return context
                .done(Notice.done(message == null ? "The waiting page has no message" : "Visitors see the message")
                        .withDetail(message == null ? null : words).withUndo(path(changed.room(), "/message"),
                                Map.of("seen", words, "text", MessageText.of(changed.before().message()))));
    }

    private Response epoch(DashboardRequest request) {
        Changed changed = change(request, OperationSpec.ROOM_EPOCH, _ -> new RoomChange.NewEpoch());
        return context.done(Notice.done(changed.room().name() + " begins anew with epoch " + changed.after().epoch())
                .withDetail("All earlier tickets and passes are void"));
    }

    private Response revoke(DashboardRequest request) {
        VisitorId visitor = VisitorId.parse(request.required("visitor")).orElseThrow(() -> invalid("The visitor is not"
                + " an id of 22 characters: use the header Orderly-Visitor of a request to the site"));
        context.run(request, RoomControl.revoke(request.param("room"), visitor));
        return context.done(Notice.done("The visitor " + visitor + " has neither ticket nor pass any more")
                .withDetail("The next request takes a new place"));
    }

    private Response invite(DashboardRequest request) {
        String room = request.param("room");
        IssuedInvitations issued = context.run(request, RoomControl.invite(room, request.required("tier"),
                needed(request, "count"), Duration.ofHours(needed(request, "hours")), request.field("user")));
        Room invited = targets.room(room);
        invitations.changed(invited.name());
        return context.fragment(request, new IssuedPage(invited.name(), issued)).withHeader("HX-Trigger",
                "orderly-changed");
    }

    private Response revokeInvitations(DashboardRequest request) {
        String series = request.required("series");
        context.run(request, RoomControl.revokeInvitations(request.param("room"), series));
        return context.done(Notice.done("The invitations of series " + series + " are revoked")
                .withDetail("Places that they gave stay"));
    }

    private static int needed(DashboardRequest request, String field) {
        request.required(field);
        Integer number = number(request, field);
        return number == null ? 0 : number;
    }

    private Response why(DashboardRequest request) {
        Room room = targets.room(request.param("room"));
        VisitorDiagnosis why = targets.rooms().diagnose(room.name(), VisitorQuery.parse(request.required("ticket")));
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

    private Changed change(DashboardRequest request, OperationSpec spec, Function<Room, RoomChange> change) {
        return context.run(request, RoomControl.change(spec, request.param("room"), change));
    }

    private static String path(Room room, String action) {
        return "/rooms/" + room.name() + action;
    }

    private static @Nullable Integer number(DashboardRequest request, String field) {
        String text = request.field(field);
        try {
            return text == null ? null : Integer.valueOf(text);
        } catch (NumberFormatException _) {
            throw invalid("The field " + field + " is \"" + text + "\": use a whole number");
        }
    }

    private static RefusedFormException invalid(String detail) {
        return new RefusedFormException(422, "This cannot be done", detail);
    }
}
