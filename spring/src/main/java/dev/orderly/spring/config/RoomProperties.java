package dev.orderly.spring.config;

import dev.orderly.room.OnFailure;
import dev.orderly.web.room.check.CheckPolicy;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The properties of rooms, each below {@code orderly.rooms} and its name. */
public final class RoomProperties {
    private RoomProperties() {}

    /**
     * A room. One of capacity, rate and health is required.
     *
     * @param match Paths below the context path, such as /tickets/**.
     * @param hosts Hosts on which it protects them, without port. Without a value all.
     * @param bypass Requests that pass without waiting: paths, or rules with path, method, header and address.
     * @param builtInBypass Upper bound of requests at once that pass by the built-in rules: GET and HEAD without a
     *     query of robots.txt, favicon.ico, sitemap.xml and paths below /.well-known/, and CORS preflights. One address
     *     gets half of it. 0 switches the rules off.
     * @param capacity Upper bound of visitors inside at once.
     * @param rate Upper bound of visitors who enter in any span of time.
     * @param limitsAt Other limits by the clock, until the next entry of the day or midnight.
     * @param zone The time zone of limits-at.
     * @param openings Windows in which visitors enter; outside of them the room is closed, or open with between.
     * @param between The room before each lobby, and after the last opening: closed, or open.
     * @param health The room admits as many visitors as the application bears.
     * @param backlog The room slows while the jobs of its visitors pile up.
     * @param passIdle How long a visitor stays inside without a request, 10 s to 1 d. Half of it is guaranteed.
     * @param passMax The longest stay of a visitor, at least pass-idle, at most 7 d. Without a value 4 h, or pass-idle
     *     if that is longer.
     * @param ticketTtl How long a place in line is kept, 1 m to 7 d.
     * @param onFailure Admissions after the store has been out of reach for a minute: no new visitors, or all.
     * @param tiers Visitors with lines and shares of the admissions of their own; all others share the rest.
     * @param onePer Set user for one place of each user, on all devices; a visitor who is not signed in has none.
     * @param signIn The page that signs users in: an address or a path, which gets the page to go on to as back.
     * @param move Whether a visitor in line may move the place to another device by a one-time link.
     * @param waitingStatus Status of answers to waiting visitors: 503, 429, 202 or 200.
     * @param poll The poll interval of waiting visitors: a tenth of the remaining wait, within these bounds, 1 s to
     *     5 m.
     * @param joinsPerAddress Upper bound of places for one IPv4 address, or one IPv6 /64: a number and a time, or none.
     * @param untakenPerAddress Upper bound of passes that one IPv4 address, or one IPv6 /64, has got at a gate without
     *     waiting and has not shown yet, 1 to 10000, or none.
     * @param addressesPerPass Upper bound of IPv4 addresses and IPv6 /64s from which one pass may be shown at a gate,
     *     1 to 10000, or none.
     * @param page The look of the waiting page.
     * @param check A program of yours decides which visitors get a place, which wait before, and which get none.
     * @param proofOfWork Work or a wait before a place for visitors of networks that have taken many.
     */
    public record Room(@DefaultValue List<String> match, @DefaultValue List<String> hosts,
            @DefaultValue List<Bypass> bypass, @DefaultValue("32") int builtInBypass, @Nullable Integer capacity,
            @DefaultValue Rate rate, @DefaultValue List<LimitsAt> limitsAt, @DefaultValue("UTC") ZoneId zone,
            @DefaultValue List<Window> openings, @DefaultValue("closed") Between between,
            @DefaultValue Health health, @Nullable Backlog backlog, @DefaultValue("5m") Duration passIdle,
            @Nullable Duration passMax, @DefaultValue("1d") Duration ticketTtl,
            @DefaultValue("closed") OnFailure onFailure, @DefaultValue List<TierOf> tiers, @Nullable OnePer onePer,
            @Nullable String signIn, @DefaultValue("false") boolean move,
            @DefaultValue("503") int waitingStatus, @DefaultValue("2s-30s") String poll,
            @DefaultValue("100 per 1m") String joinsPerAddress, @DefaultValue("5") String untakenPerAddress,
            @DefaultValue("none") String addressesPerPass, @DefaultValue Page page,
            @Nullable Check check, @DefaultValue Work proofOfWork) {}

    /**
     * Requests that pass without waiting. All conditions of a rule must match. A path alone may be written as its text.
     *
     * @param path The path, perhaps with conditions on the query. Without a value any.
     * @param method The method in capitals. Without a value any.
     * @param header A header of the request, with any value or with this value as "Name: value". Every client that
     *     knows it may pass.
     * @param address The client's address, or a block of addresses. Without a value any.
     */
    public record Bypass(@Nullable String path, @Nullable String method, @Nullable String header,
            @Nullable String address) {
        /** The rule of a path alone, found by Spring's conversion of texts. */
        public static Bypass of(String path) {
            return new Bypass(path, null, null, null);
        }
    }

    /**
     * A check of visitors who ask for a place.
     *
     * @param url The program that is asked, by a POST: an http or https address without user.
     * @param secret Signs each question: whsec_ and base64 of 24 to 64 random bytes. Without a value none is signed.
     * @param when Whether it is asked about each visitor who wants a place, or about those of crowded networks.
     * @param crowdedFrom The places that a crowded network (IPv4 /24, IPv6 /48) has taken at this gate in its present
     *     hour and the one before.
     * @param timeout How long an answer may take, 10 ms to 5 s.
     * @param onFailure What becomes of a visitor about whom there is no answer: a place, or a page that asks again.
     * @param atOnce Upper bound of questions at once; a visitor beyond counts as one without an answer.
     * @param headers Headers of the visitor's request that the program gets beside user-agent; at most 16.
     */
    public record Check(@Nullable URI url, @Nullable String secret, @DefaultValue("crowded") CheckPolicy.When when,
            @DefaultValue("20") int crowdedFrom, @DefaultValue("300ms") Duration timeout,
            @DefaultValue("allow") CheckPolicy.OnFailure onFailure, @DefaultValue("64") int atOnce,
            @DefaultValue List<String> headers) {
        /** Without the secret. */
        @Override
        public String toString() {
            return "Check[" + when + "]";
        }
    }

    /**
     * Work or a wait before a place for visitors of networks that have taken many.
     *
     * @param enabled Whether there is. Without a value, if another of these properties is set.
     * @param crowdedFrom The places of a network (IPv4 /24, IPv6 /48) at this gate, in its present hour and the one
     *     before, from which on its visitors work or wait; 20 without a value.
     * @param delay The wait of a visitor who does no work, such as one without script, 1 s to 10 m; 30 s without a
     *     value.
     * @param cost Rounds of PBKDF2 in each of about 256 tries, 1000 to 50000; 10000 without a value.
     */
    public record Work(@Nullable Boolean enabled, @Nullable Integer crowdedFrom, @Nullable Duration delay,
            @Nullable Integer cost) {
        /** Whether the room has the rule. */
        public boolean isOn() {
            return enabled == null ? crowdedFrom != null || delay != null || cost != null : enabled;
        }
    }

    /**
     * The room slows while the jobs of its visitors pile up: fewer visitors enter from the target on, none at twice the
     * target.
     *
     * @param queue The queue, whose handler is in this application.
     * @param target The drain time of the queue at which the room begins to slow, 1 s to 1 d.
     */
    public record Backlog(@Nullable String queue, @Nullable Duration target) {}

    /**
     * Most visitors who enter in any span of time.
     *
     * @param admissions Visitors in each span.
     * @param period The span, 1 s to 1 h.
     */
    public record Rate(@Nullable Integer admissions, @DefaultValue("1m") Duration period) {}

    /**
     * Limits from a time on. What is without a value stays as the room has it.
     *
     * @param from When the limits begin: a time of each day such as 10:15, or of one day such as 2027-03-01T10:15.
     * @param capacity Upper bound of visitors inside at once.
     * @param rate Upper bound of visitors who enter in any span of time.
     */
    public record LimitsAt(@Nullable String from, @Nullable Integer capacity, @DefaultValue Rate rate) {}

    /**
     * A window in which visitors enter.
     *
     * @param opens When visitors enter: a time with its zone such as 2027-03-01T10:00 Europe/Berlin.
     * @param lobby The time before it from which visitors take places in line, at most 1 d.
     * @param closes When nobody new enters. Without a value the window has no end.
     * @param stock About how many visitors there is something for; more who wait are told so.
     * @param draw Whether the places of the lobby are drawn, in a way that everybody can check.
     * @param beacon A public value that enters the draw, by its name or as a round of drand; an operator types it.
     * @param beaconAt The moment from which the value is known, with its zone; not before the opening.
     */
    public record Window(@Nullable String opens, @DefaultValue("0s") Duration lobby, @Nullable String closes,
            @Nullable Integer stock, @DefaultValue("false") boolean draw, @Nullable String beacon,
            @Nullable String beaconAt) {}

    /**
     * Visitors with a line of their own.
     *
     * @param name The name, which visitors read: lower-case letters, digits, '-' and '_'.
     * @param claim The claim by which a user belongs to the tier, and its value, such as tier=gold; of a list, one of
     *     its values.
     * @param share Of a hundred admissions while visitors of all tiers wait, 1 to 99.
     * @param invitations Whether invitations to the tier may be issued.
     */
    public record TierOf(@Nullable String name, @Nullable String claim, @Nullable Integer share,
            @DefaultValue("false") boolean invitations) {}

    /** Who has one place in a room. */
    public enum OnePer {
        /** A signed-in user. */
        USER
    }

    /** A room outside of its openings. */
    public enum Between {
        /** Nobody enters or takes a place. */
        CLOSED,
        /** As a room without openings. */
        OPEN
    }

    /**
     * The room admits as many visitors as the application bears.
     *
     * @param enabled Whether it does. Without a value, if a target or max-failures is set.
     * @param target The time within which 95 % of the application's answers should begin. Without a value it is
     *     learned: twice the usual time.
     * @param maxFailures The tolerated share of failures, 0 to 1; 0.01 without a value.
     */
    public record Health(@Nullable Boolean enabled, @Nullable Duration target, @Nullable Double maxFailures) {
        /** Whether the room has the rule. */
        public boolean isOn() {
            return enabled == null ? target != null || maxFailures != null : enabled;
        }
    }

    /**
     * The look of a waiting page. Visitors read its texts in their language if it has them.
     *
     * @param title The name of the site or the event. Without a value the name of the room.
     * @param text A paragraph; line ends are kept.
     * @param help The address of a help page or contact: https:, http:, mailto:, tel: or a path.
     * @param helpText The text of the link to it. Without a value the address.
     * @param logo A picture (SVG, PNG, JPEG, WebP, GIF or AVIF) instead of the title, embedded in the page: the path of
     *     a file, or classpath: and a name.
     * @param css CSS rules after the built-in ones: the path of a file, or classpath: and a name.
     * @param template A Mustache template instead of the built-in page: the path of a file, or classpath: and a name.
     * @param languages The texts in further languages, by BCP 47 tag such as de or pt-BR.
     */
    public record Page(@Nullable String title, @Nullable String text, @Nullable String help, @Nullable String helpText,
            @Nullable String logo, @Nullable String css, @Nullable String template,
            @DefaultValue Map<String, Texts> languages) {
        public Page {
            languages = Collections.unmodifiableMap(new TreeMap<>(languages));
        }
    }

    /**
     * The texts of a waiting page in one language. A text that is left out is that of the page.
     *
     * @param title The name of the site or the event.
     * @param text A paragraph; line ends are kept.
     * @param help The address of a help page or contact: https:, http:, mailto:, tel: or a path.
     * @param helpText The text of the link to it.
     */
    public record Texts(@Nullable String title, @Nullable String text, @Nullable String help,
            @Nullable String helpText) {}
}
