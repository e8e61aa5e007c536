package dev.orderly.operate;

import dev.orderly.operate.OperationRefusedException.Reason;
import dev.orderly.room.Draw;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.Room;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.IssuedInvitations;
import dev.orderly.room.store.DrawStep;
import dev.orderly.room.store.RoomChange;
import dev.orderly.text.LocalizedText;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The operations on rooms. The audit log has the whole state, and forms show the part that they change. */
public final class RoomControl {
    private RoomControl() {}

    /** A room that was changed. */
    public record Changed(Room room, RoomState before, RoomState after) {}

    /**
     * Changes a room.
     *
     * @param spec of such a change
     */
    public static Operation<Changed> change(OperationSpec spec, String room, Function<Room, RoomChange> change) {
        return new Operation<>(spec, (targets, _) -> {
            Room found = targets.room(room);
            RoomState before = found.state();
            RoomChange wanted;
            try {
                wanted = change.apply(found);
            } catch (IllegalArgumentException e) {
                throw OperationRefusedException.bounds(e);
            }
            return new PreparedChange<>("room " + found.name(), words(before),
                    () -> new Changed(found, before, made(found, wanted, targets.rooms().change(found.name(), wanted))),
                    changed -> words(changed.after())).shown(shown(found, before, wanted));
        });
    }

    /** The state after a change, unless another change of the openings came first or the opening has begun. */
    private static RoomState made(Room room, RoomChange change, RoomState after) {
        if (change instanceof RoomChange.Openings wanted && !after.openings().equals(wanted.changes())) {
            throw new OperationRefusedException(Reason.OPENING_CHANGED, "Room " + room.name()
                    + ": its openings were changed meanwhile, or the opening has begun. Nothing was done. Now it is: "
                    + words(after.opening(room.options(), after.at())) + ". Look at it again, then decide.");
        }
        if (change instanceof RoomChange.Draw(DrawStep.Value(Instant opening, String value))
                && !after.draws().of(opening).map(Draw::value).filter(value::equals).isPresent()) {
            throw new OperationRefusedException(Reason.OPENING_CHANGED, "Room " + room.name() + ": its draw does not"
                    + " wait for a value any more, or has another one. Nothing was done."
                    + " Look at it again, then decide.");
        }
        return after;
    }

    /** Ends the stay of a visitor, or voids the ticket. */
    public static Operation<Room> revoke(String room, VisitorId visitor) {
        return new Operation<>(OperationSpec.REVOKE_VISITOR, (targets, _) -> {
            Room found = targets.room(room);
            return new PreparedChange<>("room " + found.name(), "visitor " + visitor, () -> {
                targets.rooms().revoke(found.name(), visitor);
                return found;
            }, _ -> "revoked");
        });
    }

    /**
     * Issues invitations.
     *
     * @param user the only user who may redeem them; null for everybody
     */
    public static Operation<IssuedInvitations> invite(String room, String tier, int count, Duration life,
            @Nullable String user) {
        return new Operation<>(OperationSpec.INVITE, (targets, _) -> {
            Room found = targets.room(room);
            IssuedInvitations issued;
            try {
                issued = found.invite(tier, count, life, user);
            } catch (IllegalArgumentException e) {
                throw OperationRefusedException.bounds(e);
            }
            return new PreparedChange<>("room " + found.name(), null, () -> issued, IssuedInvitations::toString);
        });
    }

    /** Revokes the invitations of a series. */
    public static Operation<Room> revokeInvitations(String room, String series) {
        return new Operation<>(OperationSpec.REVOKE_INVITATIONS, (targets, _) -> {
            Room found = targets.room(room);
            long id = series(series);
            return new PreparedChange<>("room " + found.name(), "invitations of series " + series, () -> {
                targets.rooms().revokeInvitations(found.name(), id);
                return found;
            }, _ -> "revoked");
        });
    }

    /**
     * The series of invitations that a text names.
     *
     * @throws OperationRefusedException if it names none
     */
    public static long series(String text) {
        return InvitationId.parse(text).orElseThrow(() -> OperationRefusedException.bounds(new IllegalArgumentException(
                "\"" + text + "\" is no series of invitations: use the 12 hexadecimal digits that were shown when they"
                        + " were issued")));
    }

    private static @Nullable String shown(Room room, RoomState state, RoomChange change) {
        return switch (change) {
            case RoomChange.Mode _ -> words(state.mode());
            case RoomChange.Settings _ -> words(state.limitsSet(room.options()));
            case RoomChange.Message _ -> words(state.message());
            case RoomChange.NewEpoch _ -> "epoch " + state.epoch();
            case RoomChange.Openings _,RoomChange.Draw _ -> words(room.opening());
            case RoomChange.Admit _ -> null;
        };
    }

    /** A mode as forms show it. */
    public static String words(RoomMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    /** Limits as forms show them. */
    public static String words(Limits limits) {
        Rate rate = limits.rate();
        return "capacity " + limits.mostPasses().map(String::valueOf).orElse("without a bound") + ", rate "
                + (rate == null ? "without a bound" : rate.toString());
    }

    /** The next opening as forms show it. */
    public static String words(@Nullable OpeningStatus status) {
        Opening opening = status == null ? null : status.opening();
        return opening == null
                ? "no opening to come"
                : Opening.text(opening.opens())
                        + (opening.closes() == null ? "" : " until " + Opening.text(opening.closes()));
    }

    /** A message as forms show it: in one line, each language behind the text for all others and after its tag. */
    public static String words(@Nullable LocalizedText message) {
        if (message == null) {
            return "no message";
        }
        StringBuilder text = new StringBuilder(message.fallback() == null ? "" : message.fallback());
        message.byLanguage().forEach((tag, each) -> text.append(" [").append(tag).append("] ").append(each));
        return text.toString().strip().replaceAll("\\s+", " ");
    }

    private static String words(OpeningChange change) {
        return ", the opening of " + change.announced() + (change.opens() == null
                ? ""
                : " moved to " + Opening.text(change.opens())) + (change.cancelled() ? " cancelled" : "");
    }

    private static String words(RoomState state) {
        Limits limits = state.override();
        LocalizedText message = state.message();
        return "mode " + words(state.mode()) + ", epoch " + state.epoch()
                + (limits == null ? ", configured limits" : ", " + words(limits))
                + (message == null ? "" : ", message \"" + message + "\"")
                + state.openings().stream().map(RoomControl::words).collect(Collectors.joining())
                + state.draws().pending().map(Draw::value).map(value -> ", draw by the value " + value).orElse("");
    }
}
