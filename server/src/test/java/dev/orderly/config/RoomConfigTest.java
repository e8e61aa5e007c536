package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.config.reader.ReferencePage;
import dev.orderly.config.source.ConfigProblem;
import dev.orderly.http.gateway.Origin.Host;
import dev.orderly.job.QueueName;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.HealthPolicy;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.Limits;
import dev.orderly.room.OnFailure;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.ProofOfWork;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.Tiers;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.edge.CidrBlock;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.path.PathGlob;
import dev.orderly.web.path.RequestPattern;
import dev.orderly.web.room.BypassRule;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomBacklog;
import dev.orderly.web.room.RoomMatch;
import dev.orderly.web.room.check.CheckPolicy;
import dev.orderly.web.room.page.HelpLink;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoomConfigTest extends ConfigTrial {
    private static final String SITE = "store: sqlite:orderly.db\nedge: { origin: \"http://127.0.0.1:9000\" }\n";

    private static final String HOSTED = "store: sqlite:orderly.db\nedge: { origin: [{ url: \"http://127.0.0.1:9000\","
            + " hosts: [shop.example.com, a.example.com, B.example.com.] }] }\n";

    RoomConfigTest() {
        super("");
    }

    @Test
    void theRoomOfTheSampleIsReadInFull() {
        Config.Site site = valid(ReferencePage.SAMPLE).site();

        assertThat(site.origins()).singleElement().satisfies(origin -> {
            assertThat(origin.uri()).hasToString("http://127.0.0.1:9000");
            assertThat(origin.match()).isEqualTo(PathGlob.ALL);
        });
        assertThat(site.trusted()).isEqualTo(TrustedProxies.NONE);
        RoomConfig sale = site.rooms().getFirst();
        assertThat(sale.name()).isEqualTo(new RoomName("sale"));
        assertThat(sale.match())
                .isEqualTo(new RoomMatch(List.of(), List.of(RequestPattern.parse("/tickets/**")), List.of(
                        BypassRule.ofPath("/tickets/logo.svg"))));
        assertThat(sale.options())
                .isEqualTo(RoomOptions.of(new Limits(200, new Rate(5, Duration.ofSeconds(15)))));
        assertThat(sale.backlog())
                .isEqualTo(new RoomBacklog(new QueueName("checkout.fifo"), Duration.ofMinutes(1)));
        assertThat(sale.waitingStatus()).isEqualTo(503);
    }

    @Test
    void everySettingOfARoomIsRead() throws IOException {
        Files.writeString(folder.resolve("logo.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
        Files.writeString(folder.resolve("own.css"), ":root{--accent:#a3123a}");
        Files.writeString(folder.resolve("own.html"), "<title>{{title}}</title><h1>{{heading}}</h1>");
        RoomConfig room = valid(HOSTED + """
                rooms:
                  vip:
                    match: ["/vip/**", "/api/vip/*"]
                    hosts: [Shop.example.com]
                    bypass:
                      - { path: "/vip/ping", method: GET, header: "X-Check: 1", address: 10.0.0.0/8 }
                      - { address: 192.0.2.7 }
                    built-in-bypass: 0
                    limits-at:
                      - { from: "10:15", rate: 200 per 1m }
                      - { from: 2027-03-01T10:00, capacity: 500, rate: 100 per 1m }
                    zone: Europe/Berlin
                    openings:
                      - { opens: "2027-03-02T10:00 Europe/Berlin" }
                      - { opens: "2027-03-01T10:00 Europe/Berlin", lobby: 30m, closes: "2027-03-01T14:00 +01:00",
                          stock: 5000 }
                    between: open
                    health: { target: 500ms, max-failures: 2.5% }
                    pass-idle: 1m
                    pass-max: 2h
                    ticket-ttl: 48h
                    waiting-status: 429
                    poll: 3s-20s
                    on-failure: open
                    move: true
                    joins-per-address: none
                    untaken-per-address: none
                    addresses-per-pass: 4
                    page: { title: A title, text: A text, logo: logo.svg, css: own.css, template: own.html,
                            help: "mailto:help@example.com", help-text: Help }
                """).site().rooms().getFirst();

        assertThat(room.match()).isEqualTo(new RoomMatch(List.of("shop.example.com"),
                List.of(RequestPattern.parse("/vip/**"), RequestPattern.parse("/api/vip/*")),
                List.of(new BypassRule(RequestPattern.parse("/vip/ping"), "GET", "X-Check: 1",
                        CidrBlock.parse("10.0.0.0/8")),
                        new BypassRule(null, null, null, CidrBlock.parse("192.0.2.7"))),
                0));
        assertThat(room.options()).isEqualTo(RoomOptions.of(Limits.NONE)
                .withStay(new TokenLifetimes(Duration.ofMinutes(1), Duration.ofHours(2), Duration.ofHours(48)))
                .withPoll(new PollPolicy(Duration.ofSeconds(3), Duration.ofSeconds(20)))
                .withAddresses(AddressLimits.NONE.withPerPass(4)).withOnFailure(OnFailure.OPEN)
                .withHealth(new HealthPolicy(Duration.ofMillis(500), 0.025)).withMove(true)
                .withTimetable(new LimitTimetable(ZoneId.of("Europe/Berlin"), List.of(
                        new LimitTimetable.Entry(LimitTimetable.From.parse("10:15"),
                                new Limits(null, new Rate(200, Duration.ofMinutes(1)))),
                        new LimitTimetable.Entry(LimitTimetable.From.parse("2027-03-01T10:00"),
                                new Limits(500, new Rate(100, Duration.ofMinutes(1)))))))
                .withOpenings(new Openings(List.of(
                        new Opening(Opening.parseTime("2027-03-01T10:00 Europe/Berlin"), Duration.ofMinutes(30),
                                Opening.parseTime("2027-03-01T14:00 +01:00"), 5_000),
                        new Opening(Opening.parseTime("2027-03-02T10:00 Europe/Berlin"), Duration.ZERO, null, null)),
                        true)));
        assertThat(room.waitingStatus()).isEqualTo(429);
        assertThat(room.backlog()).isNull();
    }

    @Test
    void aTimeOfAnOpeningThatIsNoneOrTwoNamesTheRemedy() {
        assertThat(
                problems(SITE + "rooms: { sale: { match: [\"/**\"], capacity: 1, openings: [{ opens: \"2027-10-31T02:30"
                        + " Europe/Berlin\" }] } }"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.remedy()).contains("occurs twice in Europe/Berlin",
                        "2027-10-31T02:30 +02:00 or 2027-10-31T02:30 +01:00"));
    }

    @Test
    void textsOfThePageAreReadInSeveralLanguages() {
        RoomConfig room = valid(SITE + """
                rooms:
                  sale:
                    match: ["/"]
                    capacity: 1
                    page:
                      title: { en: Lanterns, de: Laternen }
                      text: { default: Doors open at ten., de: Einlass ab zehn. }
                      help: { en: /help, de: /hilfe }
                      help-text: Help
                """).site().rooms().getFirst();

        assertThat(room.page()).isEqualTo(new WaitingPage(room.name(), new PageLook(
                LocalizedText.of(Map.of("en", "Lanterns", "de", "Laternen")),
                LocalizedText.of(Map.of("default", "Doors open at ten.", "de", "Einlass ab zehn.")), null, "",
                new HelpLink(LocalizedText.of("Help"), LocalizedText.of(Map.of("en", "/help", "de", "/hilfe")))),
                PageTemplate.standard()));
    }

    @Test
    void healthWithoutSettingsLearnsTheUsualTime() {
        assertThat(valid(SITE + "rooms: { sale: { match: [/], health: {} } }").site().rooms().getFirst().options()
                .health()).isEqualTo(HealthPolicy.DEFAULT);
    }

    @Test
    void severalOriginsShareThePathsAndChooseTheirHostHeader() {
        Config.Site site = valid("""
                store: sqlite:orderly.db
                edge:
                  trusted-proxies: [127.0.0.1, 10.0.0.0/8]
                  origin:
                    - http://127.0.0.1:9000
                    - { match: "/api/**", url: "https://api.internal", host: origin }
                """).site();

        assertThat(site.origins()).extracting(origin -> origin.match().text(), dev.orderly.http.gateway.Origin::host)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("/**", Host.CLIENT),
                        org.assertj.core.groups.Tuple.tuple("/api/**", Host.ORIGIN));
        assertThat(site.trusted()).isEqualTo(TrustedProxies.of("127.0.0.1", "10.0.0.0/8"));
    }

    @Test
    void theEnvironmentSetsTheOriginAndTheLimitsOfARoom() {
        environment.put("ORDERLY_EDGE_ORIGIN", "http://site:9000");
        environment.put("ORDERLY_ROOMS_SALE_CAPACITY", "7");
        environment.put("ORDERLY_ROOMS_SALE_HEALTH_TARGET", "2s");
        Config.Site site = valid("store: sqlite:x.db\nrooms: { sale: { match: [/**], rate: 1 per 1s } }").site();

        assertThat(site.origins()).singleElement()
                .satisfies(origin -> assertThat(origin.uri()).hasToString("http://site:9000"));
        assertThat(site.rooms().getFirst().options().limits())
                .isEqualTo(new Limits(7, new Rate(1, Duration.ofSeconds(1))));
        assertThat(site.rooms().getFirst().options().health())
                .isEqualTo(new HealthPolicy(Duration.ofSeconds(2), 0.01));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    sale: { capacity: 1 }                                         | rooms.sale.match   | It is missing
                    sale: { match: ["/**"] }                                      | rooms.sale         | Nothing limits the room
                    sale: { match: "/**", capacity: 1 }                           | rooms.sale.match   | A list
                    sale: { match: [tickets], capacity: 1 }                       | rooms.sale.match[1] | a path
                    sale: { match: ["/a", "/A"], capacity: 1 }                    | rooms.sale.match   | lists a path twice
                    sale: { match: ["/**"], capacity: 0 }                         | rooms.sale.capacity | 1 to 10000000
                    sale: { match: ["/**"], rate: 5/15s }                         | rooms.sale.rate    | a number of visitors
                    sale: { match: ["/**"], rate: 5 per 2h }                      | rooms.sale.rate    | 1s to 1h
                    sale: { match: ["/**"], capacity: 1, hosts: ["a:80"] }        | rooms.sale.hosts[1] | without port
                    sale: { match: ["/**"], capacity: 1, hosts: [straße.de] }    | rooms.sale.hosts[1] | without port
                    sale: { match: ["/**"], capacity: 1, hosts: [a.example] }     | edge.origin[1].hosts | bypasses room sale
                    sale: { match: ["/**"], capacity: 1, bypass: [{}] }           | rooms.sale.bypass[1] | rule is empty
                    sale: { match: ["/**"], capacity: 1, bypass: [a] }            | rooms.sale.bypass[1] | a path
                    sale: { match: ["/**"], capacity: 1, bypass: [{ address: x }] } | rooms.sale.bypass[1].address | an IP address
                    sale: { match: ["/**"], capacity: 1, bypass: [{ method: get }] } | rooms.sale.bypass[1].method | capitals
                    sale: { match: ["/**"], health: }                             | rooms.sale.health  | Keys are expected
                    sale: { match: ["/**"], health: { max-failures: 0.01 } }      | rooms.sale.health.max-failures | 0% to 100%
                    sale: { match: ["/**"], capacity: 1, backlog: { target: 5s } } | rooms.sale.backlog.queue | It is missing
                    sale: { match: ["/**"], capacity: 1, backlog: { queue: a, target: 5s } } | rooms.sale.backlog.queue | No such queue
                    sale: { match: ["/**"], capacity: 1, check: { when: always } } | rooms.sale.check.url | It is missing
                    sale: { match: ["/**"], capacity: 1, check: { url: "ftp://a" } } | rooms.sale.check.url | http or https
                    sale: { match: ["/**"], capacity: 1, check: { url: "http://u:p@a/" } } | rooms.sale.check.url | without fragment and user
                    sale: { match: ["/**"], capacity: 1, check: { url: "http://a/", timeout: 6s } } | rooms.sale.check.timeout | 10ms to 5s
                    sale: { match: ["/**"], capacity: 1, check: { url: "http://a/", when: never } } | rooms.sale.check.when | crowded
                    sale: { match: ["/**"], capacity: 1, check: { url: "http://a/", headers: ["a b"] } } | rooms.sale.check.headers[1] | name of a header
                    sale: { match: ["/**"], capacity: 1, pass-idle: 1h, pass-max: 1m } | rooms.sale.pass-max | shorter
                    sale: { match: ["/**"], capacity: 1, waiting-status: 404 }    | rooms.sale.waiting-status | 503, 429, 202 or 200
                    sale: { match: ["/**"], capacity: 1, poll: 30s-2s }           | rooms.sale.poll    | the least and the most
                    sale: { match: ["/**"], capacity: 1, limits-at: [{ from: 10 am, capacity: 2 }] } | rooms.sale.limits-at[1].from | a time such as "10:15"
                    sale: { match: ["/**"], capacity: 1, limits-at: [{ from: "25:00", capacity: 2 }] } | rooms.sale.limits-at[1].from | a time such as "10:15"
                    sale: { match: ["/**"], capacity: 1, limits-at: [{ capacity: 2 }] } | rooms.sale.limits-at[1].from | It is missing
                    sale: { match: ["/**"], capacity: 1, limits-at: [{ from: "10:15" }] } | rooms.sale.limits-at[1] | limits nothing
                    sale: { match: ["/**"], capacity: 1, limits-at: [{ from: "10:15", rate: 5 }] } | rooms.sale.limits-at[1].rate | a number of visitors
                    sale: { match: ["/**"], capacity: 1, limits-at: [{ from: "10:15", capacity: 2 }, { from: "10:15", capacity: 3 }] } | rooms.sale.limits-at | contradict each other
                    sale: { match: ["/**"], capacity: 1, zone: Europe/Berlin }    | rooms.sale.zone    | the room has none
                    sale: { match: ["/**"], capacity: 1, between: open }          | rooms.sale.between | it has none
                    sale: { match: ["/**"], capacity: 1, one-per: user } | rooms.sale.one-per | no users are configured
                    sale: { match: ["/**"], capacity: 1, one-per: device } | rooms.sale.one-per | user
                    sale: { match: ["/**"], capacity: 1, sign-in: /login } | rooms.sale.sign-in | nobody has to sign in
                    sale: { match: ["/**"], capacity: 1, tiers: [{ name: gold, claim: "tier=gold", share: 20% }] } | rooms.sale.tiers | no users are configured
                    sale: { match: ["/**"], capacity: 1, tiers: [{ name: a, claim: "t=a", share: 60% }, { name: b, claim: "t=b", share: 40% }] } | rooms.sale.tiers | do not go together
                    sale: { match: ["/**"], capacity: 1, tiers: [{ name: a, claim: "t=a", share: 10% }, { name: a, claim: "t=b", share: 10% }] } | rooms.sale.tiers | do not go together
                    sale: { match: ["/**"], capacity: 1, tiers: [{ name: a, claim: "t=a", share: 0% }] } | rooms.sale.tiers[1].share | a whole share
                    sale: { match: ["/**"], capacity: 1, tiers: [{ name: a, claim: "t=a", share: 2.5% }] } | rooms.sale.tiers[1].share | a whole share, 1% to 99%
                    sale: { match: ["/**"], capacity: 1, tiers: [{ name: a, claim: gold, share: 10% }] } | rooms.sale.tiers[1] | The tier is none
                    sale: { match: ["/**"], capacity: 1, tiers: [{ name: Gold, claim: "t=a", share: 10% }] } | rooms.sale.tiers[1] | The tier is none
                    sale: { match: ["/**"], capacity: 1, tiers: [{ name: a, share: 10% }] } | rooms.sale.tiers[1] | The tier is none
                    sale: { match: ["/**"], capacity: 1, tiers: [{ name: a, share: 10%, invitations: 3 }] } | rooms.sale.tiers[1].invitations | true or false
                    sale: { match: ["/**"], capacity: 1, openings: [{ lobby: 5m }] } | rooms.sale.openings[1].opens | It is missing
                    sale: { match: ["/**"], capacity: 1, openings: [{ opens: "10:00" }] } | rooms.sale.openings[1].opens | a time with its zone
                    sale: { match: ["/**"], capacity: 1, openings: [{ opens: "2027-03-28T02:30 Europe/Berlin" }] } | rooms.sale.openings[1].opens | There is no such time
                    sale: { match: ["/**"], capacity: 1, openings: [{ opens: "2027-03-01T10:00 UTC", closes: "2027-03-01T09:00 UTC" }] } | rooms.sale.openings[1] | The opening is none
                    sale: { match: ["/**"], capacity: 1, openings: [{ opens: "2027-03-01T10:00 UTC" }, { opens: "2027-03-02T10:00 UTC" }] } | rooms.sale.openings | contradict each other
                    sale: { match: ["/**"], capacity: 1, openings: [{ opens: "2027-03-01T10:00 UTC", lobby: 5m, draw: true, beacon: "https://api.drand.sh/public/latest", beacon-at: "2027-03-01T10:00 UTC" }] } | rooms.sale.openings[1].beacon | It is no beacon
                    sale: { match: ["/**"], capacity: 1, openings: [{ opens: "2027-03-01T10:00 UTC", lobby: 5m, draw: true, beacon: "http://api.drand.sh/public/7", beacon-at: "2027-03-01T10:00 UTC" }] } | rooms.sale.openings[1].beacon | It is no beacon
                    sale: { match: ["/**"], capacity: 1, openings: [{ opens: "2027-03-01T10:00 UTC", lobby: 5m, draw: true, beacon: "https://api.drand.sh/public/{round}", beacon-at: "2027-03-01T10:00 UTC" }] } | rooms.sale.openings[1].beacon | It is no beacon
                    sale: { match: ["/**"], capacity: 1, openings: [{ opens: "2027-03-01T10:00 UTC", lobby: 5m, draw: true, beacon: "https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/7", beacon-at: "2027-03-01T10:00 UTC" }] } | rooms.sale.openings[1].beacon | It is no beacon
                    sale: { match: ["/**"], capacity: 1, openings: [{ opens: "2027-03-01T10:00 UTC", lobby: 25h }] } | rooms.sale.openings[1].lobby | 24h
                    sale: { match: ["/**"], capacity: 1, openings: [{ opens: "2027-03-01T10:00 UTC", stock: 0 }] } | rooms.sale.openings[1].stock | a whole number
                    sale: { match: ["/**"], capacity: 1, on-failure: maybe }      | rooms.sale.on-failure | closed or open
                    sale: { match: ["/**"], capacity: 1, joins-per-address: many } | rooms.sale.joins-per-address | or none
                    sale: { match: ["/**"], capacity: 1, untaken-per-address: 0 } | rooms.sale.untaken-per-address | or none
                    sale: { match: ["/**"], capacity: 1, addresses-per-pass: few } | rooms.sale.addresses-per-pass | or none
                    sale: { match: ["/**"], capacity: 1, pass-max: always } | rooms.sale.pass-max | or none
                    sale: { match: ["/**"], capacity: 1, page: { template: none.html } } | rooms.sale.page.template | none.html
                    sale: { match: ["/**"], capacity: 1, page: { css: none.css } } | rooms.sale.page.css | none.css
                    sale: { match: ["/**"], capacity: 1, page: { logo: none.exe } } | rooms.sale.page.logo | no known kind
                    sale: { match: ["/**"], capacity: 1, page: { help: "javascript:x" } } | rooms.sale.page.help | is not allowed on a page
                    sale: { match: ["/**"], capacity: 1, page: { help-text: x } } | rooms.sale.page.help-text | has no address
                    sale: { match: ["/**"], capacity: 1, page: { text: { english: x } } } | rooms.sale.page.text | is no known language
                    sale: { match: ["/**"], capacity: 1, page: { title: { de: "" } } } | rooms.sale.page.title.de | 1 to 200 characters
                    sale: { match: ["/**"], capacity: 1, page: { text: {} } } | rooms.sale.page.text | no language
                    sale: { match: ["/**"], capacity: 1, page: { text: [x] } } | rooms.sale.page.text | One value is expected
                    sale: { match: ["/**"], capacity: 1, page: { help: { de: x } } } | rooms.sale.page.help | is not allowed on a page
                    Sale: { match: ["/**"], capacity: 1 }                         | rooms              | lower-case
                    a: { match: ["/x"], capacity: 1 }, b: { match: ["/y", "/x"], capacity: 1 } | rooms.b.match | Room a protects /x too
                    """)
    void aRoomThatBreaksARuleIsRefused(String room, String key, String rule) {
        assertThat(problems(SITE + "rooms: { " + room + " }")).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo(key);
            assertThat(problem.rule()).contains(rule);
            assertThat(problem.remedy()).isNotBlank();
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    edge: { origin: "127.0.0.1:9000" }                                  | edge.origin        | scheme, host and port
                    edge: { origin: "http://h/path" }                                   | edge.origin        | without a path
                    edge: { origin: ["http://h", "http://i"] }                          | edge.origin[2].match | gets /** already
                    edge: { origin: [{ match: "/a" }] }                                 | edge.origin[1].url | It is missing
                    edge: { trusted-proxies: [localhost] }                              | edge.trusted-proxies[1] | an IP address
                    edge: { origin: [{ url: "http://h", hosts: [a, "*"] }] }            | edge.origin[1].hosts | all hosts and single
                    edge: { origin: [{ url: "http://h", hosts: [a, b] }, { url: "http://i", hosts: [B.] }] } | edge.origin[2].match | gets /** already
                    rooms: { sale: { match: ["/**"], capacity: 1 } }                    | rooms              | neither an origin nor a route
                    """)
    void originsAreChecked(String yaml, String key, String rule) {
        assertThat(problems("store: sqlite:orderly.db\n" + yaml)).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo(key);
            assertThat(problem.rule()).contains(rule);
        });
    }

    @Test
    void aRoomOnAnotherHostMayProtectTheSamePath() {
        assertThat(valid(HOSTED + """
                rooms: { a: { match: [/x], hosts: [a.example.com], capacity: 1 },
                         b: { match: [/x], hosts: [b.example.com], capacity: 1 },
                         c: { match: [/x], capacity: 1 } }
                """).site().rooms()).hasSize(3);
    }

    @Test
    void aRoomWithHostsCannotBeBypassedByAnotherHost() {
        String room = "rooms: { a: { match: [/x], hosts: [c.example.com], capacity: 1 } }";

        assertThat(problems(HOSTED + room)).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo("rooms.a.hosts");
            assertThat(problem.rule()).contains("No origin serves c.example.com");
        });
        assertThat(problems("store: sqlite:o.db\nqueues: { q: {} }\nroutes: [{ post: /x, queue: q }]\n" + room))
                .singleElement()
                .satisfies(problem -> assertThat(problem.rule()).contains("Routes exist on every host"));
        assertThat(
                valid("store: sqlite:o.db\nedge: { origin: [{ url: \"http://h\", hosts: [\"*\"] }] }\n" + room).site()
                        .origins().getFirst().hosts())
                .isEmpty();
    }

    @Test
    void internationalHostsAreReadInTheirAsciiForm() {
        Config.Site site = valid(
                "store: sqlite:o.db\nedge: { origin: [{ url: \"http://h\", hosts: [Bürger.example.] }] }"
                        + "\nrooms: { a: { match: [/x], hosts: [xn--BRGER-kva.example], capacity: 1 } }")
                .site();

        assertThat(site.origins().getFirst().hosts()).containsExactly("xn--brger-kva.example");
        assertThat(site.rooms().getFirst().match().hosts()).containsExactly("xn--brger-kva.example");
    }

    @Test
    void anErrorInATemplateIsListedWithTheRest() throws IOException {
        Files.writeString(folder.resolve("own.html"), "<h1>{{nosuch}}</h1>");

        assertThat(problems(SITE + "log: xml\nrooms: { sale: { match: [/**], page: { template: own.html } } }"))
                .map(ConfigProblem::toString).satisfiesExactly(
                        p -> assertThat(p).contains("log"), p -> assertThat(p).contains("Nothing limits"),
                        p -> assertThat(p).contains("rooms.sale.page.template", "own.html, line 1", "nosuch"));
    }

    @Test
    void aCheckHasDefaultsAndItsLineInTheLogHasNoQuery() {
        assertThat(valid(SITE + "rooms: { sale: { match: [/**], capacity: 1 } }").site().rooms().getFirst().check())
                .isNull();
        var config = valid(
                SITE + "rooms: { sale: { match: [/**], capacity: 1, check: { url: \"https://a.example/c?k=s\","
                        + " on-failure: refuse, headers: [CF-Bot-Score] } } }");
        assertThat(config.site().rooms().getFirst().check()).isEqualTo(
                CheckPolicy.of(URI.create("https://a.example/c?k=s")).withOnFailure(CheckPolicy.OnFailure.REFUSE)
                        .withHeaders(List.of("cf-bot-score")));
        assertThat(config.inForce().toString()).contains("check by https://a.example/c when crowded from 20 timeout"
                + " 300ms on-failure refuse at-once 64").doesNotContain("k=s");
    }

    @Test
    void aRoomWithOnePlaceAUserSaysSoInTheLog() {
        assertThat(Stream.of("https://a.example/in", "/in?x=1").allMatch(GatedRoom::isSignIn)).isTrue();
        assertThat(Stream.of("javascript:x", "//a.example", "/in#x", "/\\a", "in").noneMatch(GatedRoom::isSignIn))
                .isTrue();
        var config = valid(SITE + "users: { jwt: { jwks: keys.json } }\nrooms: { sale: { match: [/**], capacity: 1,"
                + " one-per: user, sign-in: \"https://a.example/in?x=1\" } }");
        assertThat(config.site().rooms().getFirst().options().onePerUser()).isTrue();
        assertThat(config.site().rooms().getFirst().signIn()).isEqualTo("https://a.example/in?x=1");
        assertThat(config.inForce().toString()).contains("one-per user sign-in https://a.example/in?x=1");
    }

    @Test
    void workBeforeAPlaceHasDefaultsAndItsPartOfTheLineInTheLog() {
        assertThat(valid(SITE + "rooms: { sale: { match: [/**], capacity: 1 } }").site().rooms().getFirst().options()
                .proofOfWork()).isNull();
        assertThat(valid(SITE + "rooms: { sale: { match: [/**], capacity: 1, proof-of-work: {} } }").site().rooms()
                .getFirst().options().proofOfWork()).isEqualTo(ProofOfWork.DEFAULT);
        var config = valid(SITE + "rooms: { sale: { match: [/**], capacity: 1, proof-of-work: { crowded-from: 3,"
                + " wait: 1m, cost: 2000 } } }");
        assertThat(config.site().rooms().getFirst().options().proofOfWork())
                .isEqualTo(new ProofOfWork(3, Duration.ofMinutes(1), 2_000));
        assertThat(config.inForce().toString()).contains("proof-of-work from 3 wait 1m cost 2000");
    }

    @Test
    void theLogNamesTheConfigurationInForceDefaultsIncluded() {
        assertThat(valid(ReferencePage.SAMPLE).inForce()).contains(
                "origin http://127.0.0.1:9000 gets /** with host client",
                "room sale: protects /tickets/**, 1 bypass rules, built-in-bypass 32, capacity 200, rate 5 per 15s, "
                        + "backlog of checkout.fifo target 1m, pass-idle 5m pass-max 4h, ticket-ttl 1d, "
                        + "waiting-status 503, poll 2s-30s, on-failure closed,"
                        + " joins-per-address 100 per 60s, untaken-per-address 5, addresses-per-pass none");
    }

    @Test
    void aStayHasAnEndUnlessConfiguredOtherwise() {
        assertThat(stay("")).isEqualTo(TokenLifetimes.DEFAULT);
        assertThat(stay("pass-idle: 12h").passMax()).isEqualTo(Duration.ofHours(12));
        assertThat(stay("pass-max: none").passMax()).isNull();
    }

    private TokenLifetimes stay(String settings) {
        return valid(SITE + "rooms:\n  sale:\n    match: [/]\n    capacity: 1\n    " + settings + "\n").site().rooms()
                .getFirst().options().stay();
    }

    @Test
    void tiersAreReadWithTheClaimsOfUsers() {
        environment.put("USER_JWT_SECRET", "x".repeat(32));
        RoomConfig room = valid(SITE + """
                users: { jwt: { secret-env: USER_JWT_SECRET } }
                rooms:
                  sale:
                    match: ["/**"]
                    capacity: 1
                    tiers:
                      - { name: members, claim: "tier=gold", share: 20% }
                      - { name: press, claim: "role=press", share: 5% }
                """).site().rooms().getFirst();
        assertThat(room.options().tiers()).isEqualTo(new Tiers(List.of(new Tiers.Tier("members", "tier=gold", 20),
                new Tiers.Tier("press", "role=press", 5))));
        assertThat(room.inForce()).contains("tier members of tier=gold share 20%");
    }

    @Test
    void aTierWithInvitationsNeedsNoClaimAndNoUsers() {
        RoomConfig room = valid(SITE + """
                rooms:
                  sale:
                    match: ["/**"]
                    capacity: 1
                    tiers: [{ name: press, invitations: true, share: 5% }]
                """).site().rooms().getFirst();
        assertThat(room.options().tiers()).isEqualTo(new Tiers(List.of(Tiers.Tier.invited("press", 5))));
        assertThat(room.inForce()).contains("tier press by invitations share 5%");
    }
}
