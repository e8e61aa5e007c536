package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.room.Beacon;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.Tiers;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.gate.Room;
import dev.orderly.text.LocalizedText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A room. */
@Doc(name = "Room")
record RoomStateJson(String room, RoomMode mode, @Doc("Tickets and passes of an older epoch are void.") long epoch,
        @Doc("The last place issued.") long length, @Doc("The highest place called.") long cursor,
        @Doc("Places not yet called.") long waiting, @Doc("Called visitors who are present.") int door,
        @Doc("Visitors inside: live passes.") int active, @Doc("Visitors who could enter at once.") int free,
        @Doc("Admissions granted by an operator that are not used yet.") int granted,
        @Doc("Gates of the room that reported lately.") int gates,
        @Doc("The message on the waiting page, for visitors whose language has no text of its"
                + " own.") @Nullable String message,
        @Doc("The message by language, a BCP 47 tag; empty if one text is for all.") Map<String, String> messages,
        @Doc("Numbers of admitted visitors.") Admitted admitted,
        @Doc("The reason why fewer visitors enter than configured: the origin is slow or fails, or"
                + " a backlog grows.") SlowdownReason slowed,
        @Doc(value = "The state of the backlog signal on this node: it answers, or none is"
                + " configured; it fails, and its last"
                + " value counts; it has failed for a minute and counts as none. Null for a room that is not declared"
                + " on this node.",
                facets = "enum: ['fresh', 'held', 'lost']") @Nullable String backlogSignal,
        AllLimits limits,
        @Doc("The wait of a visitor who comes now, and its cause; null if it is unknown.") Estimate estimate,
        @Doc("The lines of tiers; empty without. The other members count the visitors of all lines, but length, cursor"
                + " and estimate, which are those of visitors without a tier.") List<Tier> tiers,
        @Doc("The scheduled openings; null for a room without, or one that is not declared on this"
                + " node.") @Nullable OpeningsJson openings,
        Instant at) {
    static final String UNDECLARED = "Null for a room that is not declared on this node.";

    /** All rooms. */
    @Doc(name = "Rooms")
    record All(List<RoomStateJson> rooms) {}

    /** The line of a tier. */
    @Doc(name = "RoomTier")
    record Tier(String name, @Doc("Of a hundred admissions, while visitors of all lines wait.") int share,
            @Doc("The number of places that were issued.") long length,
            @Doc("The last place called.") long cursor, @Doc("Places that are not called.") long waiting,
            @Doc("Called visitors who are present.") int door,
            @Doc("Admissions since the epoch began.") long admitted) {
        private static Tier of(TierLine tier) {
            return new Tier(tier.name(), tier.share(), Tiers.number(tier.line().length()),
                    Tiers.number(tier.line().cursor()), tier.line().waiting(), tier.door(), tier.admitted());
        }
    }

    /** Admissions of a room. */
    record Admitted(int last10s, int last60s, long sinceEpoch) {}

    /** The limits of a room, by their source. */
    record AllLimits(@Doc(UNDECLARED) @Nullable SetLimits configured,
            @Doc("The limits set by an operator; null for none.") @Nullable SetLimits override,
            @Doc("The limits in force.") SetLimits inForce,
            @Doc("The next change by `limits-at`; null for none, or while an operator's limits are"
                    + " set.") @Nullable LimitChange next) {}

    /** Limits. */
    @Doc(name = "RoomLimits")
    record SetLimits(@Doc(CAPACITY) @Nullable Integer capacity, @Doc(RATE) @Nullable PaceLimit rate) {
        static final String CAPACITY = "The largest number of visitors inside; null for no limit.";
        static final String RATE = "Null for no limit.";

        static @Nullable SetLimits of(@Nullable Limits limits) {
            return limits == null ? null : new SetLimits(limits.capacity(), PaceLimit.of(limits));
        }
    }

    /** A change of limits by the clock. */
    @Doc(name = "RoomLimitChange")
    record LimitChange(@Doc(SetLimits.CAPACITY) @Nullable Integer capacity,
            @Doc(SetLimits.RATE) @Nullable PaceLimit rate,
            @Doc("The moment from which these limits hold.") Instant at) {}

    /** A rate. */
    @Doc(name = "RoomRate", value = "At most so many visitors enter in any span of this length.")
    record PaceLimit(@Doc(facets = "minimum: 1, maximum: 1000000") int visitors,
            @Doc("1 second to 1 hour.") Duration period) {
        static @Nullable PaceLimit of(Limits limits) {
            return limits.mostAdmissions().map(rate -> new PaceLimit(rate.admissions(), rate.period())).orElse(null);
        }
    }

    /** The scheduled openings of a room. */
    @Doc(name = "RoomOpenings")
    record OpeningsJson(
            @Doc("Before the lobby of the next opening; in its lobby, where visitors take places; after the lobby"
                    + " and before the draw of its places; in the opening; or after the last"
                    + " one.") OpeningStatus.Phase phase,
            @Doc("Whether visitors enter, as the limits allow.") boolean admits,
            @Doc("The opening in its lobby or under way, otherwise the next one; null after the last"
                    + " one.") @Nullable OpeningJson next,
            @Doc("When an opening was to begin that an operator cancelled, as long as visitors may come for it; null"
                    + " for none.") @Nullable Instant cancelled,
            @Doc("All openings as configured.") List<OpeningJson> configured,
            @Doc("The beacon whose value the draw waits for; null for none.") @Nullable BeaconJson awaits) {
        static @Nullable OpeningsJson of(@Nullable Room room) {
            OpeningStatus status = room == null ? null : room.opening();
            if (room == null || status == null) {
                return null;
            }
            return new OpeningsJson(status.phase(), status.admits(),
                    status.opening() == null ? null : OpeningJson.of(status.opening(), instant(status.instead())),
                    instant(status.cancelled()),
                    room.options().openings().windows().stream().map(each -> OpeningJson.of(each, null)).toList(),
                    room.awaitedBeacon().map(each -> BeaconJson.of(each, room)).orElse(null));
        }
    }

    /** A beacon. */
    @Doc(name = "RoomBeacon")
    record BeaconJson(@Doc("Where its value is published.") String source,
            @Doc("The moment from which it is known.") Instant at,
            @Doc("Whether a server fetches the value; an operator may type it, too.") boolean fetched,
            @Doc("Why this node could not fetch the value, and asks again; null for no"
                    + " failure.") @Nullable String failure) {
        static BeaconJson of(Beacon beacon, Room room) {
            return new BeaconJson(beacon.source(), beacon.at(), beacon.round().isPresent(), room.beaconFailure());
        }
    }

    /** An opening. */
    @Doc(name = "RoomOpening")
    record OpeningJson(@Doc("The moment from which visitors enter.") Instant opens,
            @Doc("Its time zone.") String zone, @Doc("The moment from which visitors take places.") Instant lobby,
            @Doc("The moment from which nobody new enters; null for no end.") @Nullable Instant closes,
            @Doc("About how many visitors there is something for; null if that is not known.") @Nullable Integer stock,
            @Doc("Whether the places of its lobby are drawn.") boolean draw,
            @Doc("When it was to begin before an operator moved it; null if it was not"
                    + " moved.") @Nullable Instant instead) {
        static OpeningJson of(Opening opening, @Nullable Instant instead) {
            return new OpeningJson(opening.opens().toInstant(), opening.opens().getZone().getId(),
                    opening.lobbyFrom(), instant(opening.closes()), opening.stock(), opening.draw(), instead);
        }
    }

    private static @Nullable Instant instant(@Nullable ZonedDateTime time) {
        return time == null ? null : time.toInstant();
    }

    /** A wait. */
    record Estimate(@Nullable Duration low, @Nullable Duration high, WaitEstimate.Cause cause) {}

    /** @param declared null for a room that this node does not declare */
    static RoomStateJson of(RoomState state, @Nullable Room declared) {
        RoomOptions options = declared == null ? null : declared.options();
        RoomState.Line line = state.line();
        RoomState.Load load = state.load();
        LocalizedText message = state.message();
        LimitChange next = options == null
                ? null
                : state.nextLimits(options).map(change -> new LimitChange(change.limits().capacity(),
                        PaceLimit.of(change.limits()), change.at())).orElse(null);
        WaitEstimate wait = declared == null
                ? WaitEstimate.unknown(WaitEstimate.Cause.LEARNING)
                : declared.forNewcomer();
        return new RoomStateJson(state.room().value(), state.mode(), state.epoch(), line.length(), line.cursor(),
                state.waiting(), load.door(), load.active(), load.free(), load.granted(), load.gates(),
                message == null ? null : message.choose(List.of()).text(),
                message == null ? Map.of() : message.byLanguage(),
                new Admitted(state.pace().admitted10(), state.pace().admitted60(), state.pace().admitted()),
                state.slowed(), declared == null ? null : RecordJson.word(declared.backlogSignal()),
                new AllLimits(options == null ? null : SetLimits.of(state.limitsConfigured(options)),
                        SetLimits.of(state.override()), Objects.requireNonNull(SetLimits.of(state.limits())), next),
                new Estimate(wait.low(), wait.high(), wait.cause()),
                state.tiers().stream().map(Tier::of).toList(), OpeningsJson.of(declared), state.at());
    }
}
