package dev.orderly.http.api;

import dev.orderly.history.RoomReport;
import dev.orderly.http.openapi.Doc;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happened in a room. */
@Doc(name = "RoomReport")
record RoomReportJson(String room, @Doc("Begin of the first point.") Instant from,
        @Doc("End of the last point.") Instant until, @Doc("Length of a point.") long stepSeconds, Total total,
        List<Point> points,
        @Doc("Those with visitors, at last those of no tier; empty if nobody had one.") List<Tier> tiers) {
    /** The sums. */
    @Doc(name = "RoomReportTotal")
    record Total(@Doc("Visitors who took a place.") long arrivals, long entered,
            @Doc("Waiting visitors who became absent.") long gaveUp,
            @Doc("Most called visitors at once who had not entered and were not present.") long noShows,
            @Doc("Most places at once that were not called yet.") long longestLine,
            @Doc("Of the visitors who entered; null if nobody did.") @Nullable Long meanWaitMillis,
            @Doc("Half of them did not wait longer; to about 20 %.") @Nullable Long waitP50Millis,
            @Doc("95 % of them did not wait longer; to about 20 %.") @Nullable Long waitP95Millis,
            @Doc("Visitors who entered after a range was announced to them.") long announced,
            @Doc("Visitors of these whose wait was inside the range.") long kept,
            @Doc("Requests with tickets or passes of which none counted.") long tokensRefused,
            @Doc("Requests that were refused for another reason.") long refused,
            @Doc("Causes with a refusal, the most first.") List<Refused> refusals,
            @Doc("Places by how many the network of their address (IPv4 /24, IPv6 /48) had taken before at the same"
                    + " gate, in its present hour and the one before.") Places places) {}

    /** The refusals of one cause. */
    @Doc(name = "RoomReportRefusals")
    record Refused(@Doc("As in the refusals of the room.") String cause, long count) {}

    /** Places by how many their network had taken. */
    @Doc(name = "RoomReportPlaces")
    record Places(@Doc("The first ten of each network.") long upTo10, @Doc("From the 11th on.") long upTo100,
            @Doc("From the 101st on.") long upTo1000, @Doc("Beyond the 1,000th.") long more) {}

    /** A point. */
    @Doc(name = "RoomReportPoint", value = "Gauges are null where no node recorded anything.")
    record Point(Instant at, long arrivals, long entered, long gaveUp, @Nullable Long waiting, @Nullable Long inside,
            @Nullable Long capacity, @Nullable Long waitP50Millis, @Nullable Long waitP95Millis) {}

    /** The visitors of a tier. */
    @Doc(name = "RoomReportTier")
    record Tier(@Doc("Null for visitors of no tier.") @Nullable String tier, long arrivals,
            @Doc("Visitors of these who used an invitation.") long invited, long entered,
            @Doc("As in the sums.") @Nullable Long waitP50Millis, @Doc("As in the sums.") @Nullable Long waitP95Millis,
            @Doc("Visitors who entered after a range was announced to them.") long announced,
            @Doc("Visitors of these whose wait was inside the range.") long kept,
            @Doc("The course, without gauges.") List<Point> points) {
        private static Tier of(RoomReport.TierVisitors all) {
            return new Tier(all.tier(), all.arrivals(), all.invited(), all.entered(), all.waitP50Millis(),
                    all.waitP95Millis(), all.announced(), all.kept(), course(all.points()));
        }
    }

    private static List<Point> course(List<RoomReport.Point> points) {
        return points.stream().map(at -> new Point(at.at(), at.arrivals(), at.entered(), at.gaveUp(), at.waiting(),
                at.inside(), at.capacity(), at.waitP50Millis(), at.waitP95Millis())).toList();
    }

    static RoomReportJson of(RoomReport report) {
        RoomReport.Total all = report.total();
        return new RoomReportJson(report.room(), report.from(), report.until(), report.stepSeconds(),
                new Total(all.arrivals(), all.entered(), all.gaveUp(), all.noShows(), all.longestLine(),
                        all.meanWaitMillis(), all.waitP50Millis(), all.waitP95Millis(), all.announced(), all.kept(),
                        all.tokensRefused(), all.refused(),
                        all.refusals().stream().map(each -> new Refused(each.cause(), each.count())).toList(),
                        new Places(all.places().upTo10(), all.places().upTo100(), all.places().upTo1000(),
                                all.places().more())),
                course(report.points()), report.tiers().stream().map(Tier::of).toList());
    }
}
