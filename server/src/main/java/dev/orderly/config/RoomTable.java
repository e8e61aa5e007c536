package dev.orderly.config;

import dev.orderly.config.Entry.Absent;
import dev.orderly.config.Entry.Brief;
import dev.orderly.config.Entry.Group;
import dev.orderly.config.Entry.Listed;
import dev.orderly.config.Entry.Many;
import dev.orderly.config.Entry.Named;
import dev.orderly.http.gateway.CidrBlock;
import dev.orderly.http.gateway.Origin.Host;
import dev.orderly.http.gateway.PathGlob;
import dev.orderly.job.QueueName;
import dev.orderly.room.HealthPolicy;
import dev.orderly.room.OnFailure;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.Stay;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The keys of rooms and origins. */
final class RoomTable {
    static final Entry.Key<URI> ORIGIN_URL = new Entry.Key<>("url", RoomKinds.origin(), new Absent.Refused(),
            "The address of the site.");
    static final Entry.Key<PathGlob> ORIGIN_MATCH = new Entry.Key<>("match", RoomKinds.paths("/api/**"), means("/**"),
            "The paths that it serves; of several matching origins the most specific wins.");
    static final Entry.Key<Host> ORIGIN_HOST = new Entry.Key<>("host", RoomKinds.originHost(), means("client"),
            "The `Host` header of requests to it: the client's, or its own.");
    static final Many<String> ORIGIN_HOSTS = new Many<>("hosts", RoomKinds.servedHost(), depends("all"),
            "The hosts on which it serves them. Where every origin names its hosts, other hosts are answered 421."
                    + " Required where a room has `hosts`; `*` means that the origin refuses other hosts by itself.");
    static final Listed ORIGIN = new Listed("origin", List.of(ORIGIN_URL, ORIGIN_MATCH, ORIGIN_HOSTS, ORIGIN_HOST),
            Brief.LIST,
            "The sites behind the edge. They get every request that no route takes; without an origin such a"
                    + " request is answered 404.");
    static final Many<CidrBlock> TRUSTED = new Many<>("trusted-proxies", RoomKinds.addresses(),
            depends("none: the peer is the client"),
            "The proxies in front of the edge whose `X-Forwarded-…` headers are trusted.");

    static final Many<PathGlob> MATCH = new Many<>("match", RoomKinds.paths("/tickets/**"), new Absent.Refused(),
            "The paths that the room protects, routes included. `/tickets/**` is `/tickets` and every path below.");
    static final Many<String> HOSTS = new Many<>("hosts", RoomKinds.hostName(), depends("all"),
            "The hosts on which it protects them, in any spelling. Every origin must then name its hosts.");

    static final Entry.Key<PathGlob> BYPASS_PATH = new Entry.Key<>("path", RoomKinds.paths("/tickets/logo.svg"),
            depends("any"),
            "The path.");
    static final Entry.Key<String> BYPASS_METHOD = new Entry.Key<>("method", RoomKinds.method(), depends("any"),
            "The method.");
    static final Entry.Key<String> BYPASS_HEADER = new Entry.Key<>("header", RoomKinds.header(), depends("any"),
            "A header of the request, with any value or with this value. Every client that knows it may pass.");
    static final Entry.Key<CidrBlock> BYPASS_ADDRESS = new Entry.Key<>("address", RoomKinds.addresses(), depends("any"),
            "The client's address.");
    static final Listed BYPASS = new Listed("bypass", List.of(BYPASS_PATH, BYPASS_METHOD, BYPASS_HEADER,
            BYPASS_ADDRESS), Brief.ITEM,
            "Requests that pass without waiting. All conditions of a rule must match. `/robots.txt`, `/favicon.ico`,"
                    + " `/sitemap.xml` and `/.well-known/**` always pass.");

    static final Entry.Key<Long> CAPACITY = new Entry.Key<>("capacity", Kinds.count(1, 10_000_000, "200"),
            depends("no bound"),
            "Upper bound of visitors inside at once. One of `capacity`, `rate` and `health` is required.");
    static final Entry.Key<Rate> RATE = new Entry.Key<>("rate", RoomKinds.rate("5 per 15s"), depends("no bound"),
            "Upper bound of visitors who enter in any span of this length.");
    static final Entry.Key<Duration> HEALTH_TARGET = new Entry.Key<>("target", Kinds.duration("1ms", "5m", "500ms"),
            depends("learned: twice the usual time"),
            "The time within which 95 % of the origin's answers should begin.");
    static final Entry.Key<Double> HEALTH_FAILURES = new Entry.Key<>("max-failures", RoomKinds.share("1%"),
            means(Amounts.shareText(HealthPolicy.DEFAULT.maxFailures())), "The tolerated share of failures.");
    static final Group HEALTH = new Group("health", List.of(HEALTH_TARGET, HEALTH_FAILURES),
            "The room admits as many visitors as the origin bears; `health: {}` learns how many.");
    static final Entry.Key<QueueName> BACKLOG_QUEUE = new Entry.Key<>("queue", Kinds.queue(), new Absent.Refused(),
            "The queue; one of `queues`.");
    static final Entry.Key<Duration> BACKLOG_TARGET = new Entry.Key<>("target", Kinds.duration("1s", "1d", "60s"),
            new Absent.Refused(), "The drain time of the queue at which the room begins to slow.");
    static final Group BACKLOG = new Group("backlog", List.of(BACKLOG_QUEUE, BACKLOG_TARGET),
            "The room slows while the jobs of its visitors pile up: fewer visitors enter from the target on, none at"
                    + " twice the target.");

    static final Entry.Key<Duration> PASS_IDLE = new Entry.Key<>("pass-idle", Kinds.duration("10s", "1d", "5m"),
            means(Amounts.text(Stay.DEFAULT.passIdle())),
            "How long a visitor stays inside without a request. Half of it is guaranteed, since a pass is renewed in"
                    + " its second half only.");
    static final Entry.Key<RoomKinds.Longest> PASS_MAX = new Entry.Key<>("pass-max",
            RoomKinds.longest("10s", "7d", "1h"), depends("`4h`, or `pass-idle` if that is longer"),
            "The longest stay of a visitor; at least `pass-idle`.");
    static final Entry.Key<Duration> TICKET_TTL = new Entry.Key<>("ticket-ttl", Kinds.duration("1m", "7d", "24h"),
            means(Amounts.text(Stay.DEFAULT.ticket())), "How long a place in line is kept.");
    static final Entry.Key<Integer> WAITING_STATUS = new Entry.Key<>("waiting-status", RoomKinds.waitingStatus(),
            means("503"),
            "The status of the waiting page.");
    static final Entry.Key<PollPolicy> POLL = new Entry.Key<>("poll", RoomKinds.poll(), means("2s-30s"),
            "The poll interval of waiting visitors: a tenth of the remaining wait, within these bounds.");
    static final Entry.Key<OnFailure> ON_FAILURE = new Entry.Key<>("on-failure", Kinds.choice(OnFailure.class),
            means("closed"),
            "Admissions after the store has been out of reach for a minute: no new visitors, or all.");
    static final Entry.Key<RoomKinds.Joins> JOINS = new Entry.Key<>("joins-per-address", RoomKinds.joins("100 per 1m"),
            means("100 per 1m"), "Upper bound of places for one IPv4 address, or one IPv6 /64.");
    static final Entry.Key<RoomKinds.Most> UNTAKEN = new Entry.Key<>("untaken-per-address", RoomKinds.most("5"),
            means("5"),
            "Upper bound of passes that one IPv4 address, or one IPv6 /64, has got at a gate without waiting and has"
                    + " not shown yet. Further visitors from there enter with their second request.");
    static final Entry.Key<RoomKinds.Most> PER_PASS = new Entry.Key<>("addresses-per-pass", RoomKinds.most("8"),
            means("none"),
            "Upper bound of IPv4 addresses and IPv6 /64s from which one pass may be shown at a gate; from any other"
                    + " address it counts as none. A moving phone uses a handful an hour.");

    static final Entry.Key<String> TITLE = new Entry.Key<>("title", RoomKinds.text(200, "Lantern Festival"),
            depends("the room's name"), "The name of the site or the event.");
    static final Entry.Key<String> TEXT = new Entry.Key<>("text", RoomKinds.text(2_000, "\"Doors open at ten.\""),
            depends("none"),
            "A paragraph; line ends are kept.");
    static final Entry.Key<Path> LOGO = new Entry.Key<>("logo", Kinds.path("logo.svg"), depends("the title"),
            "A picture (SVG, PNG, JPEG, WebP, GIF or AVIF), embedded in the page.");
    static final Entry.Key<Path> CSS = new Entry.Key<>("css", Kinds.path("waiting.css"), depends(
            "the built-in rules alone"),
            "CSS rules after the built-in ones, such as `:root{--accent:#a3123a}`.");
    static final Entry.Key<Path> TEMPLATE = new Entry.Key<>("template", Kinds.path("waiting.html"), depends(
            "the built-in page"),
            "A Mustache template instead of the built-in page.");
    static final Entry.Key<String> HELP = new Entry.Key<>("help", RoomKinds.text(2_000, "https://help.example.com/"),
            depends("none"), "The address of a help page or contact: https:, http:, mailto:, tel: or a path.");
    static final Entry.Key<String> HELP_TEXT = new Entry.Key<>("help-text", RoomKinds.text(100, "Help"),
            depends("the address"),
            "The text of the link to it.");
    static final Group PAGE = new Group("page", List.of(TITLE, TEXT, LOGO, CSS, TEMPLATE, HELP, HELP_TEXT),
            "The look of the waiting page.");

    static final Named ROOMS = new Named("rooms", RoomKinds.name(),
            List.of(MATCH, HOSTS, BYPASS, CAPACITY, RATE, HEALTH, BACKLOG, PASS_IDLE, PASS_MAX, TICKET_TTL,
                    WAITING_STATUS, POLL, ON_FAILURE, JOINS, UNTAKEN, PER_PASS, PAGE),
            "The rooms, by name. Visitors of a protected path wait in line until they are admitted.");

    private RoomTable() {}

    private static Absent means(String text) {
        return new Absent.Means(text);
    }

    private static Absent depends(String words) {
        return new Absent.Depends(words);
    }
}
