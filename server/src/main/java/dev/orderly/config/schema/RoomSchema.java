package dev.orderly.config.schema;

import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Brief;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Listed;
import dev.orderly.config.schema.KeySpec.Many;
import dev.orderly.config.schema.KeySpec.Named;
import dev.orderly.http.gateway.Origin.Host;
import dev.orderly.job.QueueName;
import dev.orderly.room.HealthPolicy;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.OnFailure;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.web.edge.CidrBlock;
import dev.orderly.web.path.PathGlob;
import dev.orderly.web.path.RequestPattern;
import dev.orderly.web.room.RoomMatch;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/** The keys of rooms and origins. */
public final class RoomSchema {
    public static final KeySpec.Key<URI> ORIGIN_URL = new KeySpec.Key<>("url", RoomValueTypes.origin(),
            new Absent.Refused(),
            "The address of the site.");
    public static final KeySpec.Key<PathGlob> ORIGIN_MATCH = new KeySpec.Key<>("match", RoomValueTypes.paths("/api/**"),
            means("/**"),
            "The paths that it serves; of several matching origins the most specific wins.");
    public static final KeySpec.Key<Host> ORIGIN_HOST = new KeySpec.Key<>("host", RoomValueTypes.originHost(),
            means("client"),
            "The `Host` header of requests to it: the client's, or its own.");
    public static final Many<String> ORIGIN_HOSTS = new Many<>("hosts", RoomValueTypes.servedHost(), depends("all"),
            "The hosts on which it serves them. Where every origin names its hosts, other hosts are answered 421."
                    + " Required where a room has `hosts`; `*` means that the origin refuses other hosts by itself.");
    public static final Listed ORIGIN = new Listed("origin",
            List.of(ORIGIN_URL, ORIGIN_MATCH, ORIGIN_HOSTS, ORIGIN_HOST),
            Brief.LIST,
            "The sites behind the edge. They get every request that no route takes; without an origin such a"
                    + " request is answered 404.");
    public static final Many<CidrBlock> TRUSTED = new Many<>("trusted-proxies", RoomValueTypes.addresses(),
            depends("none: the peer is the client"),
            "The proxies in front of the edge whose `X-Forwarded-…` headers are trusted.");

    public static final Many<RequestPattern> MATCH = new Many<>("match", RoomValueTypes.requests("/tickets/**"),
            new Absent.Refused(),
            "The paths that the room protects, routes included. `/tickets/**` is `/tickets` and every path below;"
                    + " `/tickets/**?event=42` only with this parameter. Of several rooms the one with the more"
                    + " specific path applies.");
    public static final Many<String> HOSTS = new Many<>("hosts", RoomValueTypes.hostName(), depends("all"),
            "The hosts on which it protects them, in any spelling. Every origin must then name its hosts.");

    public static final KeySpec.Key<RequestPattern> BYPASS_PATH = new KeySpec.Key<>("path",
            RoomValueTypes.requests("/tickets/logo.svg"),
            depends("any"),
            "The path, perhaps with conditions on the query; each parameter must then occur once.");
    public static final KeySpec.Key<String> BYPASS_METHOD = new KeySpec.Key<>("method", RoomValueTypes.method(),
            depends("any"),
            "The method.");
    public static final KeySpec.Key<String> BYPASS_HEADER = new KeySpec.Key<>("header", RoomValueTypes.header(),
            depends("any"),
            "A header of the request, with any value or with this value. Every client that knows it may pass.");
    public static final KeySpec.Key<CidrBlock> BYPASS_ADDRESS = new KeySpec.Key<>("address", RoomValueTypes.addresses(),
            depends("any"),
            "The client's address.");
    public static final Listed BYPASS = new Listed("bypass", List.of(BYPASS_PATH, BYPASS_METHOD, BYPASS_HEADER,
            BYPASS_ADDRESS), Brief.ITEM,
            "Requests that pass without waiting, in any number. All conditions of a rule must match. Built-in rules:"
                    + " `built-in-bypass`.");
    public static final KeySpec.Key<Long> BUILT_IN_BYPASS = new KeySpec.Key<>("built-in-bypass",
            ValueTypes.count(0, 10_000, "32"), means(Integer.toString(RoomMatch.BUILT_IN_BYPASS)),
            "Upper bound of requests at once, at each gate, that pass by the built-in rules: `GET` and `HEAD` without"
                    + " a query of `/robots.txt`, `/favicon.ico`, `/sitemap.xml` and paths below `/.well-known/`, and"
                    + " CORS preflights. One address gets half of it. Beyond it they wait like others; `0` switches the"
                    + " rules off.");

    public static final KeySpec.Key<Long> CAPACITY = new KeySpec.Key<>("capacity",
            ValueTypes.count(1, 10_000_000, "200"),
            depends("no bound"),
            "Upper bound of visitors inside at once. One of `capacity`, `rate` and `health` is required.");
    public static final KeySpec.Key<Rate> RATE = new KeySpec.Key<>("rate", RoomValueTypes.rate("5 per 15s"),
            depends("no bound"),
            "Upper bound of visitors who enter in any span of this length.");
    public static final KeySpec.Key<LimitTimetable.From> LIMITS_FROM = new KeySpec.Key<>("from",
            RoomValueTypes.from(), new Absent.Refused(),
            "When the limits begin: a time of each day, or of one day.");
    public static final Listed LIMITS_AT = new Listed("limits-at", List.of(LIMITS_FROM,
            new KeySpec.Key<>(CAPACITY.name(), CAPACITY.kind(), depends("the room's"),
                    "Upper bound of visitors inside at once, from then on."),
            new KeySpec.Key<>(RATE.name(), RATE.kind(), depends("the room's"), RATE.about())),
            "Other limits by the clock, until the next entry of the day or midnight. Limits that an operator sets"
                    + " precede them.");
    public static final KeySpec.Key<ZoneId> LIMITS_ZONE = new KeySpec.Key<>("zone", ScheduleSchema.ZONE.kind(),
            ScheduleSchema.ZONE.absent(), "The time zone of `limits-at`.");
    public static final KeySpec.Key<Duration> HEALTH_TARGET = new KeySpec.Key<>("target",
            ValueTypes.duration("1ms", "5m", "500ms"),
            depends("learned: twice the usual time"),
            "The time within which 95 % of the origin's answers should begin.");
    public static final KeySpec.Key<Double> HEALTH_FAILURES = new KeySpec.Key<>("max-failures",
            RoomValueTypes.share("1%"),
            means(Amounts.shareText(HealthPolicy.DEFAULT.maxFailures())), "The tolerated share of failures.");
    public static final Group HEALTH = new Group("health", List.of(HEALTH_TARGET, HEALTH_FAILURES),
            "The room admits as many visitors as the origin bears; `health: {}` learns how many.", true);
    public static final KeySpec.Key<QueueName> BACKLOG_QUEUE = new KeySpec.Key<>("queue", ValueTypes.queue(),
            new Absent.Refused(),
            "The queue; one of `queues`.");
    public static final KeySpec.Key<Duration> BACKLOG_TARGET = new KeySpec.Key<>("target",
            ValueTypes.duration("1s", "1d", "60s"),
            new Absent.Refused(), "The drain time of the queue at which the room begins to slow.");
    public static final Group BACKLOG = new Group("backlog", List.of(BACKLOG_QUEUE, BACKLOG_TARGET),
            "The room slows while the jobs of its visitors pile up: fewer visitors enter from the target on, none at"
                    + " twice the target.",
            true);

    public static final KeySpec.Key<Duration> PASS_IDLE = new KeySpec.Key<>("pass-idle",
            ValueTypes.duration("10s", "1d", "5m"),
            means(Amounts.text(TokenLifetimes.DEFAULT.passIdle())),
            "How long a visitor stays inside without a request. Half of it is guaranteed, since a pass is renewed in"
                    + " its second half only.");
    public static final KeySpec.Key<RoomValueTypes.Longest> PASS_MAX = new KeySpec.Key<>("pass-max",
            RoomValueTypes.longest("10s", "7d", "1h"), depends("`4h`, or `pass-idle` if that is longer"),
            "The longest stay of a visitor; at least `pass-idle`.");
    public static final KeySpec.Key<Duration> TICKET_TTL = new KeySpec.Key<>("ticket-ttl",
            ValueTypes.duration("1m", "7d", "24h"),
            means(Amounts.text(TokenLifetimes.DEFAULT.ticket())), "How long a place in line is kept.");
    public static final KeySpec.Key<Integer> WAITING_STATUS = new KeySpec.Key<>("waiting-status",
            RoomValueTypes.waitingStatus(),
            means("503"),
            "The status of the waiting page.");
    public static final KeySpec.Key<PollPolicy> POLL = new KeySpec.Key<>("poll", RoomValueTypes.poll(), means("2s-30s"),
            "The poll interval of waiting visitors: a tenth of the remaining wait, within these bounds.");
    public static final KeySpec.Key<OnFailure> ON_FAILURE = new KeySpec.Key<>("on-failure",
            ValueTypes.choice(OnFailure.class),
            means("closed"),
            "Admissions after the store has been out of reach for a minute: no new visitors, or all.");
    public static final KeySpec.Key<Boolean> MOVE = new KeySpec.Key<>("move", ValueTypes.flag(), means("false"),
            "Whether a visitor in line may move the place to another device by a one-time link. A link can be given"
                    + " away, and the place with it.");
    public static final KeySpec.Key<RoomValueTypes.Joins> JOINS = new KeySpec.Key<>("joins-per-address",
            RoomValueTypes.joins("100 per 1m"),
            means("100 per 1m"), "Upper bound of places for one IPv4 address, or one IPv6 /64.");
    public static final KeySpec.Key<RoomValueTypes.Most> UNTAKEN = new KeySpec.Key<>("untaken-per-address",
            RoomValueTypes.most("5"),
            means("5"),
            "Upper bound of passes that one IPv4 address, or one IPv6 /64, has got at a gate without waiting and has"
                    + " not shown yet. Further visitors from there enter with their second request.");
    public static final KeySpec.Key<RoomValueTypes.Most> PER_PASS = new KeySpec.Key<>("addresses-per-pass",
            RoomValueTypes.most("8"),
            means("none"),
            "Upper bound of IPv4 addresses and IPv6 /64s from which one pass may be shown at a gate; from any other"
                    + " address it counts as none. A moving phone uses a handful an hour.");

    public static final KeySpec.ByLanguage TITLE = new KeySpec.ByLanguage("title",
            RoomValueTypes.text(200, "Lantern Festival"),
            depends("the room's name"), "The name of the site or the event.");
    public static final KeySpec.ByLanguage TEXT = new KeySpec.ByLanguage("text",
            RoomValueTypes.text(2_000, "\"Doors open at ten.\""),
            depends("none"),
            "A paragraph; line ends are kept.");
    public static final KeySpec.Key<Path> LOGO = new KeySpec.Key<>("logo", ValueTypes.path("logo.svg"),
            depends("the title"),
            "A picture (SVG, PNG, JPEG, WebP, GIF or AVIF), embedded in the page.");
    public static final KeySpec.Key<Path> CSS = new KeySpec.Key<>("css", ValueTypes.path("waiting.css"), depends(
            "the built-in rules alone"),
            "CSS rules after the built-in ones, such as `:root{--accent:#a3123a}`.");
    public static final KeySpec.Key<Path> TEMPLATE = new KeySpec.Key<>("template", ValueTypes.path("waiting.html"),
            depends(
                    "the built-in page"),
            "A Mustache template instead of the built-in page.");
    public static final KeySpec.ByLanguage HELP = new KeySpec.ByLanguage("help",
            RoomValueTypes.text(2_000, "https://help.example.com/"),
            depends("none"), "The address of a help page or contact: https:, http:, mailto:, tel: or a path.");
    public static final KeySpec.ByLanguage HELP_TEXT = new KeySpec.ByLanguage("help-text",
            RoomValueTypes.text(100, "Help"),
            depends("the word for help in the visitor's language"),
            "The text of the link to it.");
    public static final Group PAGE = new Group("page", List.of(TITLE, TEXT, LOGO, CSS, TEMPLATE, HELP, HELP_TEXT),
            "The look of the waiting page. A text may be a map of languages: `text: { en: \"Doors open at ten.\", de:"
                    + " \"Einlass ab zehn Uhr.\" }`. Visitors read it in their language if it has a text, `pt` also for"
                    + " `pt-BR`; otherwise the text under `default`, the English text, or the first.");

    public static final Named ROOMS = new Named("rooms", RoomValueTypes.name(),
            List.of(MATCH, HOSTS, BYPASS, BUILT_IN_BYPASS, CAPACITY, RATE, LIMITS_AT, LIMITS_ZONE, HEALTH, BACKLOG,
                    PASS_IDLE, PASS_MAX,
                    TICKET_TTL,
                    WAITING_STATUS, POLL, ON_FAILURE, MOVE, JOINS, UNTAKEN, PER_PASS, PAGE),
            "The rooms, by name. Visitors of a protected path wait in line until they are admitted.");

    private RoomSchema() {}

    private static Absent means(String text) {
        return new Absent.Means(text);
    }

    private static Absent depends(String words) {
        return new Absent.Depends(words);
    }
}
