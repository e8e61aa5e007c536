package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.PlaceReport;
import dev.orderly.room.gate.RefusalReport;
import dev.orderly.room.gate.RoomFront;
import dev.orderly.room.gate.RoomRefusals;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the gates of a room know together. */
final class GatesJson {
    private GatesJson() {}

    /** The front of a line. */
    @Doc(name = "RoomFront")
    record Front(String room, @Doc("The highest place called.") long cursor,
            @Doc(value = "The lowest places first.", facets = "maxItems: 200") List<Visitor> visitors,
            @Doc(NodeJson.UNREACHABLE) List<String> unreachable) {
        static Front of(RoomName room, RoomFront front) {
            return new Front(room.value(), front.cursor(), front.visitors().stream().map(Visitor::of).toList(),
                    front.unreachable());
        }
    }

    /** A visitor at the front. */
    record Visitor(@Doc(value = "The ticket number that the waiting page shows.", facets = "minimum: 1") long place,
            @Doc("The tier of the line; null for visitors without one.") @Nullable String tier,
            @Doc("Whether the place is called: the visitor is at the door.") boolean called,
            @Doc("Until when the visitor counts as present.") @Nullable Instant presentUntil,
            @Doc("Whether a page of the visitor is connected by events; otherwise it asks from time"
                    + " to time.") boolean connected,
            @Doc("The node that saw the visitor last, by host and process; null if it did not"
                    + " answer.") @Nullable String gate,
            @Doc("When the place was taken; null unless the page is connected.") @Nullable Instant joined,
            @Doc("The visitor's id; null unless the page is connected.") @Nullable VisitorId visitor) {
        private static Visitor of(RoomFront.Visitor one) {
            return new Visitor(one.place(), one.tier(), one.called(), one.presence().until(),
                    one.presence().connected(),
                    one.presence().gate(), one.joined(), one.id());
        }
    }

    /** Who took the places. */
    @Doc(name = "RoomPlaces")
    record Places(String room,
            @Doc("The begin of the earliest hour that counts; null if no place was taken.") @Nullable Instant since,
            @Doc("Places taken since then.") long places,
            @Doc("By IPv4 address, or IPv6 /64; personal data.") Takers addresses,
            @Doc("By IPv4 /24, or IPv6 /48.") Takers networks,
            @Doc("By user id, where the room knows users; personal data.") Takers signIns,
            @Doc(NodeJson.UNREACHABLE) List<String> unreachable) {
        static Places of(RoomName room, PlaceReport report) {
            return new Places(room.value(), report.since(), report.places(), Takers.of(report.addresses()),
                    Takers.of(report.networks()), Takers.of(report.signIns()), report.unreachable());
        }
    }

    /** The takers of one kind with the most places. */
    @Doc(name = "RoomPlaceTakers")
    record Takers(@Doc(value = "The most places first.", facets = "maxItems: 100") List<Taker> rows,
            @Doc("The most places by which a number is too low. A taker that is not listed has at most as much"
                    + " more than the last one.") long error) {
        private static Takers of(PlaceReport.Top top) {
            return new Takers(top.rows().stream().map(row -> new Taker(row.taker(), row.places())).toList(),
                    top.error());
        }
    }

    /** An address, network or user. */
    @Doc(name = "RoomPlaceTaker")
    record Taker(String taker, @Doc(value = "At least.", facets = "minimum: 1") long places) {}

    /** What a room refused. */
    @Doc(name = "RoomRefusals")
    record Refusals(String room, @Doc("Causes with a refusal.") List<RefusedVisits> refusals,
            @Doc(NodeJson.UNREACHABLE) List<String> unreachable) {
        static Refusals of(RoomName room, RefusalReport report) {
            return new Refusals(room.value(),
                    report.rows().stream().map(row -> new RefusedVisits(row.cause(), row.count(), row.last(),
                            remedy(row.cause(), room.value()), new TreeMap<>(row.gates()))).toList(),
                    report.unreachable());
        }
    }

    /** The refusals of one cause. */
    @Doc(name = "RoomRefusal")
    record RefusedVisits(@Doc("The rule behind the refusals.") RoomRefusals.Cause cause,
            @Doc(value = "Over all gates.", facets = "minimum: 1") long count, Instant last,
            @Doc("What to look at, and the key to set.") String remedy,
            @Doc(value = "The numbers of the nodes that have any, by host and process.",
                    facets = "additionalProperties: {type: 'integer', minimum: 1}") Map<String, Long> gates) {}

    private static String remedy(RoomRefusals.Cause cause, String room) {
        return switch (cause) {
            case JOINS_PER_ADDRESS -> "visitors share an address, or one client takes many places: raise rooms." + room
                    + ".joins-per-address, or name the proxy in front in edge.trusted-proxies";
            case UNTAKEN_PER_ADDRESS -> "visitors share an address, or a client drops its cookies: raise rooms." + room
                    + ".untaken-per-address, or name the proxy in front in edge.trusted-proxies";
            case ADDRESSES_PER_PASS -> "visitors change addresses, or a pass was copied: raise rooms." + room
                    + ".addresses-per-pass";
            case FORWARDED_FOR_NOT_TRUSTED -> "if the sender is your proxy, all visitors behind it count as one"
                    + " address: name it in edge.trusted-proxies";
            case TOKEN -> "tickets or passes are old, copied or made up; after a change of the secret, name the former"
                    + " secret too";
            case CHECK_REFUSED -> "the check of rooms." + room + ".check takes visitors for programs: ask it why";
            case CHECK_SLOWED -> "the check of rooms." + room + ".check lets visitors wait before a place: ask it why";
            case CHECK_FAILED ->
                "the program of rooms." + room + ".check gave no verdict within its timeout: see the log,"
                        + " and whether it can be reached";
            case PROOF_OF_WORK ->
                "networks took many places, and their visitors work or wait before the next: raise rooms."
                        + room + ".proof-of-work.crowded-from if visitors share networks, and see orderly room places "
                        + room;
            case NOT_SIGNED_IN ->
                "only users have places: set rooms." + room + ".sign-in to the page that signs them in,"
                        + " and see users.jwt if they were signed in";
            case ONE_PER_USER -> "users came with another device or without cookies and got the place that they have:"
                    + " rooms." + room + ".one-per, nothing to do";
            case MODE -> "the room admits nobody new by an operator's order: orderly room auto " + room;
            case STORE -> "the store is out of reach: see its log, or set rooms." + room + ".on-failure";
        };
    }
}
