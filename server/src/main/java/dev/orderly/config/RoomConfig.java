package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Brief;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Listed;
import dev.orderly.config.schema.KeySpec.Many;
import dev.orderly.config.schema.KeySpec.Named;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.job.QueueName;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.HealthPolicy;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.Limits;
import dev.orderly.room.OnFailure;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.ProofOfWork;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.web.edge.CidrBlock;
import dev.orderly.web.path.RequestPattern;
import dev.orderly.web.room.BypassRule;
import dev.orderly.web.room.RoomBacklog;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.check.CheckPolicy;
import dev.orderly.web.room.page.WaitingPage;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A room of the file.
 *
 * @param page laid out from the files it names
 * @param backlog null if no queue slows the room
 * @param check null if all visitors get a place
 * @param signIn the address of the page that signs users in; null for none
 */
public record RoomConfig(RoomName name, RoomMatch match, RoomOptions options, @Nullable RoomBacklog backlog,
        WaitingPage page, int waitingStatus,
        @Nullable CheckPolicy check, @Nullable String signIn) {
    static final Many<RequestPattern> MATCH = new Many<>("match", RoomValueTypes.requests("/tickets/**"),
            new Absent.Refused(),
            "The paths that the room protects, routes included. `/tickets/**` is `/tickets` and every path below;"
                    + " `/tickets/**?event=42` only with this parameter. Of several rooms the one with the more"
                    + " specific path applies.");
    static final Many<String> HOSTS = new Many<>("hosts", RoomValueTypes.hostName(), new Absent.Depends("all"),
            "The hosts on which it protects them, in any spelling. Every origin must then name its hosts.");

    static final KeySpec.Key<RequestPattern> BYPASS_PATH = new KeySpec.Key<>("path",
            RoomValueTypes.requests("/tickets/logo.svg"),
            new Absent.Depends("any"),
            "The path, perhaps with conditions on the query; each parameter must then occur once.");
    static final KeySpec.Key<String> BYPASS_METHOD = new KeySpec.Key<>("method", RoomValueTypes.method(),
            new Absent.Depends("any"),
            "The method.");
    static final KeySpec.Key<String> BYPASS_HEADER = new KeySpec.Key<>("header", RoomValueTypes.header(),
            new Absent.Depends("any"),
            "A header of the request, with any value or with this value. Every client that knows it may pass.");
    static final KeySpec.Key<CidrBlock> BYPASS_ADDRESS = new KeySpec.Key<>("address", RoomValueTypes.addresses(),
            new Absent.Depends("any"),
            "The client's address.");
    static final Listed BYPASS = new Listed("bypass", List.of(BYPASS_PATH, BYPASS_METHOD, BYPASS_HEADER,
            BYPASS_ADDRESS), Brief.ITEM,
            "Requests that pass without waiting, in any number. All conditions of a rule must match. Built-in rules:"
                    + " `built-in-bypass`.");
    static final KeySpec.Key<Long> BUILT_IN_BYPASS = new KeySpec.Key<>("built-in-bypass",
            ValueTypes.count(0, 10_000, "32"), new Absent.Means(Integer.toString(RoomMatch.BUILT_IN_BYPASS)),
            "Upper bound of requests at once, at each gate, that pass by the built-in rules: `GET` and `HEAD` without"
                    + " a query of `/robots.txt`, `/favicon.ico`, `/sitemap.xml` and paths below `/.well-known/`, and"
                    + " CORS preflights. One address gets half of it. Beyond it they wait like others; `0` switches the"
                    + " rules off.");

    public static final KeySpec.Key<Long> CAPACITY = new KeySpec.Key<>("capacity",
            ValueTypes.count(1, 10_000_000, "200"),
            new Absent.Depends("no bound"),
            "Upper bound of visitors inside at once. One of `capacity`, `rate` and `health` is required.");
    public static final KeySpec.Key<Rate> RATE = new KeySpec.Key<>("rate", RoomValueTypes.rate("5 per 15s"),
            new Absent.Depends("no bound"),
            "Upper bound of visitors who enter in any span of this length.");
    static final KeySpec.Key<LimitTimetable.From> LIMITS_FROM = new KeySpec.Key<>("from",
            RoomValueTypes.from(), new Absent.Refused(),
            "When the limits begin: a time of each day, or of one day.");
    static final Listed LIMITS_AT = new Listed("limits-at", List.of(LIMITS_FROM,
            new KeySpec.Key<>(CAPACITY.name(), CAPACITY.kind(), new Absent.Depends("the room's"),
                    "Upper bound of visitors inside at once, from then on."),
            new KeySpec.Key<>(RATE.name(), RATE.kind(), new Absent.Depends("the room's"), RATE.about())),
            "Other limits by the clock, until the next entry of the day or midnight. Limits that an operator sets"
                    + " precede them.");
    static final KeySpec.Key<ZoneId> LIMITS_ZONE = new KeySpec.Key<>("zone", ScheduleConfig.ZONE.kind(),
            ScheduleConfig.ZONE.absent(), "The time zone of `limits-at`.");
    static final KeySpec.Key<Duration> HEALTH_TARGET = new KeySpec.Key<>("target",
            ValueTypes.duration("1ms", "5m", "500ms"),
            new Absent.Depends("learned: twice the usual time"),
            "The time within which 95 % of the origin's answers should begin.");
    static final KeySpec.Key<Double> HEALTH_FAILURES = new KeySpec.Key<>("max-failures",
            RoomValueTypes.share("1%"),
            new Absent.Means(UnitText.shareText(HealthPolicy.DEFAULT.maxFailures())),
            "The tolerated share of failures.");
    public static final Group HEALTH = new Group("health", List.of(HEALTH_TARGET, HEALTH_FAILURES),
            "The room admits as many visitors as the origin bears; `health: {}` learns how many.", true);
    static final KeySpec.Key<QueueName> BACKLOG_QUEUE = new KeySpec.Key<>("queue", ValueTypes.queue(),
            new Absent.Refused(),
            "The queue; one of `queues`.");
    static final KeySpec.Key<Duration> BACKLOG_TARGET = new KeySpec.Key<>("target",
            ValueTypes.duration("1s", "1d", "60s"),
            new Absent.Refused(), "The drain time of the queue at which the room begins to slow.");
    public static final Group BACKLOG = new Group("backlog", List.of(BACKLOG_QUEUE, BACKLOG_TARGET),
            "The room slows while the jobs of its visitors pile up: fewer visitors enter from the target on, none at"
                    + " twice the target.",
            true);

    public static final KeySpec.Key<Duration> PASS_IDLE = new KeySpec.Key<>("pass-idle",
            ValueTypes.duration("10s", "1d", "5m"),
            new Absent.Means(UnitText.text(TokenLifetimes.DEFAULT.passIdle())),
            "How long a visitor stays inside without a request. Half of it is guaranteed, since a pass is renewed in"
                    + " its second half only.");
    public static final KeySpec.Key<RoomValueTypes.Longest> PASS_MAX = new KeySpec.Key<>("pass-max",
            RoomValueTypes.longest("10s", "7d", "1h"), new Absent.Depends("`4h`, or `pass-idle` if that is longer"),
            "The longest stay of a visitor; at least `pass-idle`.");
    public static final KeySpec.Key<Duration> TICKET_TTL = new KeySpec.Key<>("ticket-ttl",
            ValueTypes.duration("1m", "7d", "24h"),
            new Absent.Means(UnitText.text(TokenLifetimes.DEFAULT.ticket())), "How long a place in line is kept.");
    static final KeySpec.Key<Integer> WAITING_STATUS = new KeySpec.Key<>("waiting-status",
            RoomValueTypes.waitingStatus(),
            new Absent.Means("503"),
            "The status of the waiting page.");
    public static final KeySpec.Key<PollPolicy> POLL = new KeySpec.Key<>("poll", RoomValueTypes.poll(),
            new Absent.Means("2s-30s"),
            "The poll interval of waiting visitors: a tenth of the remaining wait, within these bounds.");
    static final KeySpec.Key<OnFailure> ON_FAILURE = new KeySpec.Key<>("on-failure",
            ValueTypes.choice(OnFailure.class),
            new Absent.Means("closed"),
            "Admissions after the store has been out of reach for a minute: no new visitors, or all.");
    static final KeySpec.Key<Boolean> MOVE = new KeySpec.Key<>("move", ValueTypes.flag(),
            new Absent.Means("false"),
            "Whether a visitor in line may move the place to another device by a one-time link. A link can be given"
                    + " away, and the place with it.");
    static final KeySpec.Key<RoomValueTypes.Joins> JOINS = new KeySpec.Key<>("joins-per-address",
            RoomValueTypes.joins("100 per 1m"),
            new Absent.Means("100 per 1m"), "Upper bound of places for one IPv4 address, or one IPv6 /64.");
    static final KeySpec.Key<RoomValueTypes.Most> UNTAKEN = new KeySpec.Key<>("untaken-per-address",
            RoomValueTypes.most("5"),
            new Absent.Means("5"),
            "Upper bound of passes that one IPv4 address, or one IPv6 /64, has got at a gate without waiting and has"
                    + " not shown yet. Further visitors from there enter with their second request.");
    static final KeySpec.Key<RoomValueTypes.Most> PER_PASS = new KeySpec.Key<>("addresses-per-pass",
            RoomValueTypes.most("8"),
            new Absent.Means("none"),
            "Upper bound of IPv4 addresses and IPv6 /64s from which one pass may be shown at a gate; from any other"
                    + " address it counts as none. A moving phone uses a handful an hour.");

    static final Named ROOMS = new Named("rooms", RoomValueTypes.name(),
            List.of(MATCH, HOSTS, BYPASS, BUILT_IN_BYPASS, CAPACITY, RATE, LIMITS_AT, LIMITS_ZONE,
                    OpeningConfig.OPENINGS, OpeningConfig.BETWEEN, TierConfig.TIERS,
                    HEALTH, BACKLOG, PASS_IDLE, PASS_MAX, TICKET_TTL, WAITING_STATUS, POLL, ON_FAILURE, MOVE,
                    OnePerConfig.ONE_PER, OnePerConfig.SIGN_IN, JOINS, UNTAKEN, PER_PASS, CheckConfig.CHECK,
                    WorkConfig.WORK, PageReader.PAGE),
            "The rooms, by name. Visitors of a protected path wait in line until they are admitted.");

    /** Its line in the log, defaults included, without secrets. */
    String inForce() {
        StringJoiner text = new StringJoiner(", ");
        text.add("protects " + match.paths().stream().map(RequestPattern::text).collect(Collectors.joining(" "))
                + (match.hosts().isEmpty() ? "" : " on " + String.join(" ", match.hosts())));
        text.add(match.bypass().size() + " bypass rules").add("built-in-bypass " + match.builtInBypass());
        limitsInForce(options.limits()).forEach(text::add);
        for (LimitTimetable.Entry entry : options.timetable().entries()) {
            text.add("from " + entry.from() + " " + options.timetable().zone() + " "
                    + limitsInForce(entry.limits()).collect(Collectors.joining(" ")));
        }
        OpeningConfig.inForce(options.openings()).forEach(text::add);
        TierConfig.inForce(options.tiers()).forEach(text::add);
        HealthPolicy health = options.health();
        if (health != null) {
            Duration target = health.target();
            text.add("health target " + (target == null ? "learned" : UnitText.text(target)) + " max-failures "
                    + UnitText.shareText(health.maxFailures()));
        }
        if (backlog != null) {
            text.add("backlog of " + backlog.queue() + " target " + UnitText.text(backlog.target()));
        }
        if (options.onePerUser()) {
            text.add(OnePerConfig.inForce(signIn));
        }
        TokenLifetimes stay = options.stay();
        Duration max = stay.passMax();
        text.add("pass-idle " + UnitText.text(stay.passIdle()) + " pass-max "
                + (max == null ? "none" : UnitText.text(max)));
        text.add("ticket-ttl " + UnitText.text(stay.ticket())).add("waiting-status " + waitingStatus);
        text.add("poll " + UnitText.text(options.poll().least()) + "-" + UnitText.text(options.poll().most()));
        text.add("on-failure " + ValueTypes.lower(options.onFailure()));
        AddressLimits addresses = options.addresses();
        text.add("joins-per-address " + orNone(addresses.joins()));
        text.add("untaken-per-address " + orNone(addresses.untaken()));
        text.add("addresses-per-pass " + orNone(addresses.perPass()));
        if (check != null) {
            text.add(CheckConfig.inForce(check));
        }
        ProofOfWork work = options.proofOfWork();
        return (work == null ? text : text.add(WorkConfig.inForce(work))).toString();
    }

    private static Stream<String> limitsInForce(Limits limits) {
        return Stream.concat(limits.mostPasses().stream().map(most -> "capacity " + most),
                limits.mostAdmissions().stream().map(rate -> "rate " + rate));
    }

    private static String orNone(@Nullable Object value) {
        return value == null ? "none" : value.toString();
    }

    static List<RoomConfig> read(CheckedSection at, Set<QueueName> queues) {
        List<RoomConfig> rooms = new ArrayList<>();
        for (String name : at.node().entries().keySet()) {
            RoomValueTypes.name().read().apply(name).ifPresent(room -> {
                CheckedSection below = at.below(name);
                RoomConfig read = room(room, below, queues);
                rooms.forEach(before -> checkApart(before, read, below));
                rooms.add(read);
            });
        }
        return rooms;
    }

    private static RoomConfig room(RoomName name, CheckedSection at, Set<QueueName> queues) {
        List<RequestPattern> paths = at.values(MATCH);
        if (new TreeSet<>(paths).size() < paths.size()) {
            at.report(MATCH, "It lists a path twice", "remove one of the two");
        }
        RoomMatch match = new RoomMatch(at.values(HOSTS),
                paths.isEmpty() ? List.of(RequestPattern.ALL) : paths,
                bypass(at), at.value(BUILT_IN_BYPASS).map(Math::toIntExact)
                        .orElse(RoomMatch.BUILT_IN_BYPASS));
        return new RoomConfig(name, match, options(at), backlog(at, queues),
                PageReader.read(name, at.below(PageReader.PAGE)),
                at.value(WAITING_STATUS).orElse(503), CheckConfig.read(at), OnePerConfig.signIn(at));
    }

    private static List<BypassRule> bypass(CheckedSection at) {
        List<BypassRule> rules = new ArrayList<>();
        for (CheckedSection item : at.items(BYPASS)) {
            if (item.node().entries().isEmpty()) {
                item.report("The bypass rule is empty",
                        "name a path, method, header or address, or remove it");
            } else {
                rule(item).ifPresent(rules::add);
            }
        }
        return rules;
    }

    private static Optional<BypassRule> rule(CheckedSection at) {
        RequestPattern path = at.value(BYPASS_PATH).orElse(null);
        String method = at.value(BYPASS_METHOD).orElse(null);
        String header = at.value(BYPASS_HEADER).orElse(null);
        var address = at.value(BYPASS_ADDRESS).orElse(null);
        return path == null && method == null && header == null && address == null
                ? Optional.empty() // its values are invalid and were reported
                : Optional.of(new BypassRule(path, method, header, address));
    }

    private static RoomOptions options(CheckedSection at) {
        boolean health = at.has(HEALTH);
        boolean limited = at.has(CAPACITY) || at.has(RATE);
        if (!health && !limited) {
            at.report("Nothing limits the room",
                    "set capacity: 200, rate: 5 per 15s or health: {}");
        }
        Limits limits = limits(at);
        HealthPolicy policy = health || limits.equals(Limits.NONE) ? health(at.below(HEALTH)) : null;
        return RoomOptions.of(limits).withHealth(policy).withStay(stay(at))
                .withPoll(at.value(POLL).orElse(PollPolicy.DEFAULT)).withAddresses(addresses(at))
                .withOnFailure(at.value(ON_FAILURE).orElse(OnFailure.CLOSED))
                .withMove(at.value(MOVE).orElse(false)).withOnePerUser(OnePerConfig.isOn(at))
                .withTimetable(timetable(at))
                .withOpenings(OpeningConfig.read(at)).withTiers(TierConfig.read(at))
                .withProofOfWork(WorkConfig.read(at));
    }

    private static Limits limits(CheckedSection at) {
        return new Limits(at.value(CAPACITY).map(Math::toIntExact).orElse(null),
                at.value(RATE).orElse(null));
    }

    private static LimitTimetable timetable(CheckedSection at) {
        List<CheckedSection> items = at.items(LIMITS_AT);
        if (items.isEmpty() && at.has(LIMITS_ZONE)) {
            at.report(LIMITS_ZONE, "It is the time zone of limits-at, and the room has none",
                    "add limits-at, or remove zone");
        }
        List<LimitTimetable.Entry> entries = new ArrayList<>();
        for (CheckedSection item : items) {
            Limits limits = limits(item);
            if (!item.has(CAPACITY) && !item.has(RATE)) {
                item.report("The entry limits nothing",
                        "set capacity: 200 or rate: 5 per 15s, or remove it");
            } else if (!limits.equals(Limits.NONE)) {
                item.value(LIMITS_FROM).map(from -> new LimitTimetable.Entry(from, limits))
                        .ifPresent(entries::add);
            }
        }
        try {
            return new LimitTimetable(at.value(LIMITS_ZONE).orElse(ZoneId.of("UTC")), entries);
        } catch (IllegalArgumentException e) {
            at.report(LIMITS_AT, "Its entries contradict each other",
                    String.valueOf(e.getMessage()));
            return LimitTimetable.NONE;
        }
    }

    private static AddressLimits addresses(CheckedSection at) {
        return new AddressLimits(at.value(JOINS).map(RoomValueTypes.Joins::rate).orElse(null),
                at.value(UNTAKEN).map(RoomValueTypes.Most::number).orElse(null),
                at.value(PER_PASS).map(RoomValueTypes.Most::number).orElse(null));
    }

    private static HealthPolicy health(CheckedSection at) {
        return new HealthPolicy(at.value(HEALTH_TARGET).orElse(null),
                at.value(HEALTH_FAILURES).orElse(HealthPolicy.DEFAULT.maxFailures()));
    }

    private static TokenLifetimes stay(CheckedSection at) {
        Duration idle = at.value(PASS_IDLE).orElse(TokenLifetimes.DEFAULT.passIdle());
        Duration usual = Objects.requireNonNull(TokenLifetimes.DEFAULT.passMax());
        Duration max = at.value(PASS_MAX)
                .orElseGet(() -> new RoomValueTypes.Longest(usual.compareTo(idle) < 0 ? idle : usual)).span();
        Duration ticket = at.value(TICKET_TTL).orElse(TokenLifetimes.DEFAULT.ticket());
        if (max != null && max.compareTo(idle) < 0) {
            at.report(PASS_MAX, "The longest stay, " + UnitText.text(max)
                    + ", is shorter than pass-idle, " + UnitText.text(idle),
                    "make pass-max longer or pass-idle shorter");
            return new TokenLifetimes(idle, null, ticket);
        }
        return new TokenLifetimes(idle, max, ticket);
    }

    private static @Nullable RoomBacklog backlog(CheckedSection at, Set<QueueName> queues) {
        CheckedSection below = at.below(BACKLOG);
        Optional<QueueName> queue = below.value(BACKLOG_QUEUE);
        queue.filter(name -> !queues.contains(name)).ifPresent(
                name -> QueueConfig.undeclared(below, BACKLOG_QUEUE, name, queues));
        Optional<Duration> target = below.value(BACKLOG_TARGET);
        return queue.isEmpty() || target.isEmpty() ? null : new RoomBacklog(queue.get(), target.get());
    }

    /** Reports a request that two rooms would match equally well. */
    private static void checkApart(RoomConfig before, RoomConfig room, CheckedSection at) {
        if (at.values(MATCH).isEmpty()) {
            return; // the paths are invalid and were reported
        }
        List<String> hosts = before.match().hosts();
        List<String> others = room.match().hosts();
        boolean sameHost = hosts.isEmpty() ? others.isEmpty() : !Collections.disjoint(hosts, others);
        room.match().paths().stream().filter(path -> sameHost
                && before.match().paths().stream().anyMatch(other -> other.compareTo(path) == 0)).findFirst()
                .ifPresent(path -> at.report(MATCH,
                        "Room " + before.name() + " protects " + path.text() + " too",
                        "remove the path from one of the two rooms, or give them different hosts"));
    }
}
