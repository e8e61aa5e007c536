package dev.orderly.spring.config;

import dev.orderly.job.OnDead;
import dev.orderly.room.OnFailure;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties of Orderly in this application. An unknown property below {@code orderly} is refused.
 *
 * @param enabled Whether Orderly is configured at all.
 * @param store The place of jobs: "datasource" for the PostgreSQL database of spring.datasource, "sqlite:" and the path
 *     of a file, or "postgres://USER:PASSWORD@HOST:PORT/DATABASE". Without a value the data source if it is PostgreSQL,
 *     and otherwise sqlite:data/orderly.db.
 * @param postgres A store in a PostgreSQL database.
 * @param stopGrace How long a stop waits for running jobs before it interrupts them and gives them back.
 * @param claimBytes Upper bound for the payload of running jobs in this application's memory, 1 MB or more.
 * @param keep Retention of ended jobs.
 * @param handlers The methods with @JobHandler.
 * @param transactions Pushes inside @Transactional.
 * @param payloads Payloads that wait while the application changes.
 * @param schedules Schedules that are methods.
 * @param events Events of Spring Modulith as jobs.
 * @param users The user that a push belongs to.
 * @param queues Options of queues by name, each declared by a @JobHandler or a bean. A name with a dot is written in
 *     brackets: orderly.queues[update_profile.fifo].timeout.
 * @param rooms Rooms in front of paths of this application, by name.
 * @param roomFilter What all rooms share.
 * @param dashboard The dashboard in this application.
 * @param live Live connections of users of this application.
 */
@ConfigurationProperties(prefix = OrderlyProperties.PREFIX, ignoreUnknownFields = false)
public record OrderlyProperties(@DefaultValue("true") boolean enabled, @Nullable String store,
        @DefaultValue Postgres postgres, @DefaultValue("25s") Duration stopGrace,
        @DefaultValue("32MB") DataSize claimBytes,
        @DefaultValue Keep keep, @DefaultValue Handlers handlers, @DefaultValue Transactions transactions,
        @DefaultValue Payloads payloads, @DefaultValue Schedules schedules, @DefaultValue Events events,
        @DefaultValue Users users,
        @DefaultValue Map<String, Queue> queues, @DefaultValue Map<String, Room> rooms,
        @DefaultValue RoomFilter roomFilter, @DefaultValue Dashboard dashboard, @DefaultValue Live live) {
    /** The name above all properties. */
    public static final String PREFIX = "orderly";

    public OrderlyProperties {
        queues = Collections.unmodifiableMap(new TreeMap<>(queues));
        rooms = Collections.unmodifiableMap(new TreeMap<>(rooms));
    }

    /**
     * A store in a PostgreSQL database.
     *
     * @param schema Schema of all of Orderly's tables and of nothing else; created if it does not exist.
     *     Without a value the default of the store.
     * @param connections Connections of Orderly's own work, beside the pool of the application.
     * @param callerHold Longest idle time of a transaction of the application that has pushed or completed a job,
     *     before the server ends it.
     */
    public record Postgres(@Nullable String schema, @DefaultValue("10") int connections,
            @DefaultValue("30s") Duration callerHold) {}

    /**
     * Retention of ended jobs.
     *
     * @param done How long done and cancelled jobs are kept.
     * @param doneMax Largest number of done and cancelled jobs.
     * @param dead How long dead letters are kept.
     */
    public record Keep(@DefaultValue("24h") Duration done, @DefaultValue("100000") long doneMax,
            @DefaultValue("14d") Duration dead) {}

    /**
     * The methods with @JobHandler.
     *
     * @param enabled Whether this application runs jobs. Without, it only pushes.
     */
    public record Handlers(@DefaultValue("true") boolean enabled) {}

    /**
     * Pushes inside @Transactional.
     *
     * @param enabled Whether a push is part of the transaction that is open on its thread.
     * @param foreign What happens to a push inside a transaction that the store cannot be part of, since it is of
     *     another database.
     */
    public record Transactions(@DefaultValue("true") boolean enabled, @DefaultValue("refuse") Foreign foreign) {}

    /** A push inside a transaction of another database. */
    public enum Foreign {
        /** The push throws and stores nothing. */
        REFUSE,
        /** The job is stored at once, and stays if the transaction is rolled back. */
        PUSH_AT_ONCE
    }

    /**
     * Payloads that wait while the application changes.
     *
     * @param checkAtStart What a start does about waiting payloads that the types of this version cannot read.
     * @param checked Payloads of each queue that the check reads, the oldest first, 1 to 10000.
     */
    public record Payloads(@DefaultValue("off") CheckAtStart checkAtStart, @DefaultValue("100") int checked) {}

    /** What a start does about waiting payloads that it cannot read. */
    public enum CheckAtStart {
        /** Nothing is read. */
        OFF,
        /** They are named in the log. */
        WARN,
        /** The application does not start. */
        FAIL
    }

    /**
     * Schedules that are methods.
     *
     * @param adopt Whether methods with @Scheduled run once over all nodes and have a history, as far as their instants
     *     can be agreed on by all nodes.
     * @param leave Names of methods with @Scheduled that run on every node all the same: the name of the bean, a dot
     *     and the name of the method.
     */
    public record Schedules(@DefaultValue("false") boolean adopt, @DefaultValue Set<String> leave) {
        public Schedules {
            leave = Set.copyOf(leave);
        }
    }

    /**
     * Events of Spring Modulith as jobs.
     *
     * @param adopt Whether each event for a method with @ApplicationModuleListener is a job, which calls the method.
     * @param leave Names of methods with @ApplicationModuleListener that Spring Modulith calls all the same: the name
     *     of the bean, a dot and the name of the method.
     * @param externalize Whether an event with @Externalized is pushed into the queue that the annotation names.
     */
    public record Events(@DefaultValue("false") boolean adopt, @DefaultValue Set<String> leave,
            @DefaultValue("true") boolean externalize) {
        public Events {
            leave = Set.copyOf(leave);
        }
    }

    /**
     * The user that a push belongs to.
     *
     * @param fromSecurity Whether a push outside of jobs and UserScope belongs to the user whom Spring Security has
     *     authenticated on its thread.
     */
    public record Users(@DefaultValue("true") boolean fromSecurity) {}

    /**
     * Options of one queue.
     *
     * @param concurrency Handlers that run at once in this application, 1 to 100000.
     * @param timeout Longest time of one attempt, 1 ms to 7 days.
     * @param retry The waits before a failed job runs again.
     * @param onDead Effect of a dead letter on its group; FIFO queues only.
     * @param maxPayload Largest payload of a push, at most 1 MB.
     * @param maxPending Waiting and delayed jobs from which on pushes are refused.
     * @param maxLeased Running jobs without a node from which on no further job starts.
     * @param unreadableFor How long a job waits whose payload no live node can read, before it is a dead letter: 0 s,
     *     for at once, to 7 days.
     */
    public record Queue(@Nullable Integer concurrency, @Nullable Duration timeout, @DefaultValue Retry retry,
            @Nullable OnDead onDead, @Nullable DataSize maxPayload, @Nullable Long maxPending,
            @Nullable Long maxLeased, @Nullable Duration unreadableFor) {}

    /**
     * A room. One of capacity, rate and health is required.
     *
     * @param match Paths below the context path, such as /tickets/**.
     * @param hosts Hosts on which it protects them, without port. Without a value all.
     * @param bypass Requests that pass without waiting: paths, or rules with path, method, header and address.
     * @param capacity Upper bound of visitors inside at once.
     * @param rate Upper bound of visitors who enter in any span of time.
     * @param health The room admits as many visitors as the application bears.
     * @param backlog The room slows while the jobs of its visitors pile up.
     * @param passIdle How long a visitor stays inside without a request, 10 s to 1 d. Half of it is guaranteed.
     * @param passMax The longest stay of a visitor, at least pass-idle, at most 7 d. Without a value 4 h, or pass-idle
     *     if that is longer.
     * @param ticketTtl How long a place in line is kept, 1 m to 7 d.
     * @param onFailure Admissions after the store has been out of reach for a minute: no new visitors, or all.
     * @param move Whether a visitor in line may move the place to another device by a one-time link.
     * @param waitingStatus Status of answers to waiting visitors: 503, 429, 202 or 200.
     * @param poll The poll interval of waiting visitors: a tenth of the remaining wait, within these bounds, 1 s to 5 m.
     * @param joinsPerAddress Upper bound of places for one IPv4 address, or one IPv6 /64: a number and a time, or none.
     * @param untakenPerAddress Upper bound of passes that one IPv4 address, or one IPv6 /64, has got at a gate without
     *     waiting and has not shown yet, 1 to 10000, or none.
     * @param addressesPerPass Upper bound of IPv4 addresses and IPv6 /64s from which one pass may be shown at a gate,
     *     1 to 10000, or none.
     * @param page The look of the waiting page.
     */
    public record Room(@DefaultValue List<String> match, @DefaultValue List<String> hosts,
            @DefaultValue List<Bypass> bypass, @Nullable Integer capacity, @DefaultValue Rate rate,
            @DefaultValue Health health, @Nullable Backlog backlog, @DefaultValue("5m") Duration passIdle,
            @Nullable Duration passMax, @DefaultValue("1d") Duration ticketTtl,
            @DefaultValue("closed") OnFailure onFailure, @DefaultValue("false") boolean move,
            @DefaultValue("503") int waitingStatus, @DefaultValue("2s-30s") String poll,
            @DefaultValue("100 per 1m") String joinsPerAddress, @DefaultValue("5") String untakenPerAddress,
            @DefaultValue("none") String addressesPerPass, @DefaultValue Page page) {}

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

    /**
     * What all rooms share.
     *
     * @param secret Signs places and passes: 32 random bytes or more in hexadecimal digits, the same on all nodes and
     *     over restarts.
     * @param trustedProxies Addresses of proxies whose X-Forwarded headers count, where the container does not read
     *     them itself.
     * @param endsWithSession Whether a visitor leaves the room when the HTTP session ends.
     * @param order Place of the filter among the filters of the application; by default the first after the filter of
     *     server.forward-headers-strategy: framework.
     * @param waitingStreams Event streams of waiting visitors, fewer than the container takes connections. Beyond the
     *     limit a visitor's page polls instead.
     * @param waitingStreamsPerAddress Event streams of waiting visitors of one address.
     * @param streamsPerTicket Event streams of one ticket, that is, tabs of one visitor.
     */
    public record RoomFilter(@Nullable String secret, @DefaultValue List<String> trustedProxies,
            @DefaultValue("false") boolean endsWithSession, @DefaultValue("-2147483647") int order,
            @DefaultValue("5000") int waitingStreams, @DefaultValue("500") int waitingStreamsPerAddress,
            @DefaultValue("4") int streamsPerTicket) {}

    /**
     * The dashboard in this application.
     *
     * @param path Path below the context path; without one the dashboard is not there.
     */
    public record Dashboard(@Nullable String path) {}

    /**
     * Live connections of users of this application.
     *
     * @param path Path below the context path; without one there are no live connections.
     * @param connections Live connections at once, 1 to 1000000.
     * @param connectionsPerUser Devices and tabs of one user that may be connected at once, 1 to 1000.
     * @param connectionsPerAddress Connections of one address at once, 1 to 100000.
     */
    public record Live(@Nullable String path, @DefaultValue("10000") int connections,
            @DefaultValue("20") int connectionsPerUser, @DefaultValue("200") int connectionsPerAddress) {}

    /**
     * The waits before a failed job runs again.
     *
     * @param attempts Failed attempts until the job is a dead letter, 1 to 1000.
     * @param base The first wait, above 0.
     * @param factor The growth of the wait with each further failure, 1 to 100.
     * @param max The longest wait, at most 30 days.
     * @param jitter The random share of each wait, 0 to 1.
     */
    public record Retry(@Nullable Integer attempts, @Nullable Duration base, @Nullable Double factor,
            @Nullable Duration max, @Nullable Double jitter) {}
}
