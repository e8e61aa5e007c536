package dev.orderly.spring.web;

import dev.orderly.job.QueueName;
import dev.orderly.room.Beacon;
import dev.orderly.room.HealthPolicy;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.ProofOfWork;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.Tiers;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.gate.Rooms;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.servlet.room.RoomFilterOptions;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.spring.config.OrderlyProperties;
import dev.orderly.spring.config.PropertyProblems;
import dev.orderly.spring.config.RoomProperties;
import dev.orderly.time.Time;
import dev.orderly.web.edge.CidrBlock;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.path.RequestPattern;
import dev.orderly.web.room.BypassRule;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomBacklog;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.RoomUsers;
import dev.orderly.web.room.WaitingStreams;
import dev.orderly.web.room.check.CheckPolicy;
import dev.orderly.web.room.check.JoinCheck;
import dev.orderly.web.room.page.WaitingPage;
import dev.orderly.web.webhook.WebhookSecret;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rooms of the properties, checked before the first of them is declared. */
final class RoomSettings implements AutoCloseable {
    private static final String SECRET = "orderly.room-filter.secret";
    private static final String SIGNS = "It signs places and passes: set 32 random bytes or more in hexadecimal digits,"
            + " for instance of: openssl rand -hex 32";

    private final List<Checked> rooms = new ArrayList<>();
    private final @Nullable TokenKeys keys;
    private final RoomFilterOptions options;
    /** Asks about visitors; null without a check. */
    private @Nullable HttpClient checking;

    /** A room whose settings are right. */
    private record Checked(RoomName name, RoomOptions options, RoomMatch match, @Nullable RoomBacklog backlog,
            WaitingPage page, int status, @Nullable JoinCheck check, @Nullable String signIn) {}

    private RoomSettings(OrderlyProperties properties, PropertyProblems problems) {
        for (Map.Entry<String, RoomProperties.Room> room : properties.getRooms().entrySet()) {
            Checked checked = problems.<@Nullable Checked>check("orderly.rooms." + room.getKey(),
                    () -> checked(room.getKey(), room.getValue()), null);
            if (checked != null) {
                rooms.add(checked);
            }
        }
        keys = keys(properties.getRoomFilter().secret(), problems);
        TrustedProxies trusted = problems.check("orderly.room-filter.trusted-proxies",
                () -> TrustedProxies.of(properties.getRoomFilter().trustedProxies().toArray(String[]::new)),
                TrustedProxies.NONE);
        options = RoomFilterOptions.defaults().withTrusted(trusted)
                .withEndBySession(properties.getRoomFilter().endsWithSession())
                .withStreams(problems.check("orderly.room-filter", () -> streams(properties.getRoomFilter()),
                        WaitingStreams.byDefault()));
    }

    /** @throws StartRefusedException with every wrong setting */
    static RoomSettings of(OrderlyProperties properties) {
        PropertyProblems problems = new PropertyProblems();
        RoomSettings settings = new RoomSettings(properties, problems);
        problems.refuse();
        return settings;
    }

    private static WaitingStreams streams(OrderlyProperties.RoomFilter filter) {
        if (filter.streamsPerTicket() < 1) {
            throw new IllegalArgumentException("streams-per-ticket is " + filter.streamsPerTicket()
                    + ": use 1 or more");
        }
        return new WaitingStreams(WaitingStreams.Limits.DEFAULT.withStreams(filter.waitingStreams())
                .withPerAddress(filter.waitingStreamsPerAddress()).withPerTicket(filter.streamsPerTicket()));
    }

    private Checked checked(String name, RoomProperties.Room room) {
        RoomMatch match = new RoomMatch(room.hosts(), room.match().stream().map(RequestPattern::parse).toList(),
                room.bypass().stream().map(RoomSettings::bypass).toList(), room.builtInBypass());
        GatedRoom.checkStatus(room.waitingStatus());
        RoomName valid = new RoomName(name);
        return new Checked(valid, options(room), match, backlog(room.backlog()),
                WaitingPages.page(valid, room.page()), room.waitingStatus(), check(room.check()), signIn(room));
    }

    private static @Nullable String signIn(RoomProperties.Room room) {
        String address = room.signIn();
        if (address != null && room.onePer() == null) {
            throw new IllegalArgumentException("The room has a sign-in and nobody has to sign in: set one-per: user, or"
                    + " remove sign-in");
        }
        if (address != null) {
            GatedRoom.checkSignIn(address);
        }
        return address;
    }

    private static Tiers tiers(List<RoomProperties.TierOf> tiers) {
        return tiers.isEmpty() ? Tiers.NONE : new Tiers(tiers.stream().map(RoomSettings::tier).toList());
    }

    private static Tiers.Tier tier(RoomProperties.TierOf tier) {
        if (tier.name() == null || tier.share() == null) {
            throw new IllegalArgumentException("A tier has a name and a share: set both, such as name: members and"
                    + " share: 20");
        }
        return new Tiers.Tier(tier.name(), tier.claim(), tier.share(), tier.invitations());
    }

    private @Nullable JoinCheck check(RoomProperties.@Nullable Check check) {
        if (check == null) {
            return null;
        }
        if (check.url() == null) {
            throw new IllegalArgumentException("A check has an address: set check.url to the program that is asked");
        }
        CheckPolicy policy = CheckPolicy.of(check.url()).withWhen(check.when()).withCrowdedFrom(check.crowdedFrom())
                .withTimeout(check.timeout()).withOnFailure(check.onFailure()).withAtOnce(check.atOnce())
                .withHeaders(check.headers());
        return new JoinCheck(policy, check.secret() == null ? List.of() : List.of(WebhookSecret.parse(check.secret())),
                checking(), Time.system());
    }

    private HttpClient checking() {
        HttpClient known = checking;
        if (known == null) {
            known = JoinCheck.newClient();
            checking = known;
        }
        return known;
    }

    /** Ends the questions about visitors. */
    @Override
    public void close() {
        if (checking != null) {
            checking.shutdownNow();
        }
    }

    private static BypassRule bypass(RoomProperties.Bypass rule) {
        return new BypassRule(rule.path() == null ? null : RequestPattern.parse(rule.path()), rule.method(),
                rule.header(), rule.address() == null ? null : CidrBlock.parse(rule.address()));
    }

    private static @Nullable RoomBacklog backlog(RoomProperties.@Nullable Backlog backlog) {
        if (backlog == null) {
            return null;
        }
        if (backlog.queue() == null || backlog.target() == null) {
            throw new IllegalArgumentException("A backlog has a queue and a target: set backlog.queue to the name of a"
                    + " queue, and backlog.target to a drain time such as 60s");
        }
        return new RoomBacklog(new QueueName(backlog.queue()), backlog.target());
    }

    private static RoomOptions options(RoomProperties.Room room) {
        RoomProperties.Rate rate = room.rate();
        RoomProperties.Health health = room.health();
        if (room.capacity() == null && rate.admissions() == null && !health.isOn()) {
            throw new IllegalArgumentException("The room has no limit: set capacity, rate.admissions or health.enabled:"
                    + " true");
        }
        Limits limits = new Limits(room.capacity(), rate(rate));
        HealthPolicy policy = health.isOn()
                ? new HealthPolicy(health.target(), health.maxFailures() == null
                        ? HealthPolicy.DEFAULT.maxFailures()
                        : health.maxFailures())
                : null;
        return RoomOptions.of(limits).withHealth(policy).withStay(stay(room)).withPoll(RoomBounds.poll(room))
                .withAddresses(RoomBounds.addresses(room)).withOnFailure(room.onFailure()).withMove(room.move())
                .withTiers(tiers(room.tiers())).withOnePerUser(room.onePer() != null)
                .withTimetable(
                        new LimitTimetable(room.zone(), room.limitsAt().stream().map(RoomSettings::entry).toList()))
                .withOpenings(openings(room)).withProofOfWork(work(room.proofOfWork()));
    }

    private static @Nullable ProofOfWork work(RoomProperties.Work work) {
        ProofOfWork usual = ProofOfWork.DEFAULT;
        return work.isOn()
                ? new ProofOfWork(work.crowdedFrom() == null ? usual.crowdedFrom() : work.crowdedFrom(),
                        work.delay() == null ? usual.delay() : work.delay(),
                        work.cost() == null ? usual.cost() : work.cost())
                : null;
    }

    private static Openings openings(RoomProperties.Room room) {
        return room.openings().isEmpty()
                ? Openings.NONE
                : new Openings(room.openings().stream().map(RoomSettings::opening).toList(),
                        room.between() == RoomProperties.Between.OPEN);
    }

    private static Opening opening(RoomProperties.Window window) {
        if (window.opens() == null) {
            throw new IllegalArgumentException(
                    "An entry of openings has no time: set opens to a time with its zone such"
                            + " as 2027-03-01T10:00 Europe/Berlin");
        }
        if ((window.beacon() == null) != (window.beaconAt() == null)) {
            throw new IllegalArgumentException("A beacon of an opening has a name and a moment: set both beacon and"
                    + " beacon-at, or none");
        }
        Beacon beacon = window.beacon() == null || window.beaconAt() == null
                ? null
                : new Beacon(window.beacon(), Opening.parseTime(window.beaconAt()).toInstant());
        return new Opening(Opening.parseTime(window.opens()), window.lobby(),
                window.closes() == null ? null : Opening.parseTime(window.closes()), window.stock(), window.draw(),
                beacon);
    }

    private static @Nullable Rate rate(RoomProperties.Rate rate) {
        return rate.admissions() == null ? null : new Rate(rate.admissions(), rate.period());
    }

    private static LimitTimetable.Entry entry(RoomProperties.LimitsAt limits) {
        if (limits.from() == null) {
            throw new IllegalArgumentException(
                    "An entry of limits-at has no time: set from to a time such as 10:15, or a"
                            + " day with it such as 2027-03-01T10:15");
        }
        return new LimitTimetable.Entry(LimitTimetable.From.parse(limits.from()),
                new Limits(limits.capacity(), rate(limits.rate())));
    }

    private static TokenLifetimes stay(RoomProperties.Room room) {
        Duration usual = Objects.requireNonNull(TokenLifetimes.DEFAULT.passMax());
        Duration most = usual.compareTo(room.passIdle()) < 0 ? room.passIdle() : usual;
        return new TokenLifetimes(room.passIdle(), room.passMax() == null ? most : room.passMax(), room.ticketTtl());
    }

    private static @Nullable TokenKeys keys(@Nullable String secret, PropertyProblems problems) {
        if (secret == null) {
            problems.add(SECRET, "There is none. " + SIGNS);
            return null;
        }
        return problems.<@Nullable TokenKeys>check(SECRET, () -> {
            try {
                return TokenKeys.of(List.of(HexFormat.of().parseHex(secret.strip())));
            } catch (IllegalArgumentException _) {
                throw new IllegalArgumentException("The value is no such secret. " + SIGNS); // without the secret
            }
        }, null);
    }

    TokenKeys keys() {
        if (keys == null) {
            throw new IllegalStateException("Settings with problems are refused");
        }
        return keys;
    }

    RoomFilterOptions options() {
        return options;
    }

    /**
     * Declares the rooms. Blocks on the store.
     *
     * @param signal the share of a room with a backlog
     * @param users who the users of requests are; null if nobody says so
     * @throws StartRefusedException if a room has to know them
     */
    List<GatedRoom> declare(Rooms all, Function<RoomBacklog, DoubleSupplier> signal,
            @Nullable RoomUsers users) {
        if (users == null) {
            rooms.stream().filter(room -> room.options().needsUsers()).findFirst().ifPresent(room -> {
                throw new StartRefusedException("Room " + room.name() + " has to know who is signed in, for one-per or"
                        + " the claim of a tier, and nobody says so",
                        "Make a bean of dev.orderly.web.room.RoomUsers that reads the user of a request.");
            });
        }
        List<GatedRoom> gated = new ArrayList<>();
        for (Checked room : rooms) {
            DoubleSupplier share = room.backlog() == null ? () -> 1 : signal.apply(room.backlog());
            GatedRoom made = GatedRoom.of(all.declare(room.name(), room.options(), share),
                    room.match(), room.page()).withWaitingStatus(room.status()).withCheck(room.check())
                    .withSignIn(room.signIn());
            gated.add(users == null ? made : made.withUsers(users));
        }
        return gated;
    }
}
