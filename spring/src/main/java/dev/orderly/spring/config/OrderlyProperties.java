package dev.orderly.spring.config;

import dev.orderly.job.OnDead;
import dev.orderly.spring.config.RoomProperties.Room;
import java.net.URI;
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
 * <p>A bean and no record: to call a constructor of so many components by reflection, the JVM makes a class for each of
 * them, a tenth of what Orderly adds to a start. Its parts are records; what they are without a property is written
 * twice, here and in the annotations from which the metadata is made.
 */
@ConfigurationProperties(prefix = OrderlyProperties.PREFIX, ignoreUnknownFields = false)
public final class OrderlyProperties {
    /** The name above all properties. */
    public static final String PREFIX = "orderly";

    /** Whether Orderly is configured at all. */
    private boolean enabled = true;
    /**
     * The place of jobs: "datasource" for the PostgreSQL database of spring.datasource, "sqlite:" and the path of a
     * file, or "postgres://USER:PASSWORD@HOST:PORT/DATABASE". Without a value the data source if it is PostgreSQL, and
     * otherwise sqlite:data/orderly.db.
     */
    private @Nullable String store;
    /** A store in a PostgreSQL database. */
    private Postgres postgres = new Postgres(null, 10, Duration.ofSeconds(30));
    /** How long a stop waits for running jobs before it interrupts them and gives them back. */
    private Duration stopGrace = Duration.ofSeconds(25);
    /** Upper bound for the payload of running jobs in this application's memory, 1 MB or more. */
    private DataSize claimBytes = DataSize.ofMegabytes(32);
    /**
     * The address of the public listener of a server on the same store, such as https://jobs.example.com, which takes
     * the links of job.eventUrl.
     */
    private @Nullable URI publicUrl;
    /** Retention of ended jobs. */
    private Keep keep = new Keep(Duration.ofHours(24), 100_000, Duration.ofDays(14));
    /** The methods with @JobHandler. */
    private Handlers handlers = new Handlers(true);
    /** Pushes inside @Transactional. */
    private Transactions transactions = new Transactions(true, Foreign.REFUSE);
    /** Payloads that wait while the application changes. */
    private Payloads payloads = new Payloads(CheckAtStart.OFF, 100);
    /** Schedules that are methods. */
    private Schedules schedules = new Schedules(false, Set.of());
    /** Events of Spring Modulith as jobs. */
    private Events events = new Events(false, Set.of(), true);
    /** The user that a push belongs to. */
    private Users users = new Users(true);
    /**
     * Options of queues by name, each declared by a @JobHandler or a bean. A name with a dot is written in brackets:
     * orderly.queues[update_profile.fifo].timeout.
     */
    private Map<String, Queue> queues = Map.of();
    /** Limits of jobs over all nodes, by name; queues name one by limit. */
    private Map<String, Bounds> limits = Map.of();
    /** Rooms in front of paths of this application, by name. */
    private Map<String, Room> rooms = Map.of();
    /** What all rooms share. */
    private RoomFilter roomFilter = new RoomFilter(null, List.of(), false, RoomFilter.FIRST, 5_000, 500, 4);
    /** The dashboard in this application. */
    private Dashboard dashboard = new Dashboard(null);
    /** Live connections of users of this application. */
    private Live live = new Live(null, 10_000, 20, 200);

    public boolean isEnabled() {
        return enabled;
    }

    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    public @Nullable String getStore() {
        return store;
    }

    public void setStore(@Nullable String store) {
        this.store = store;
    }

    public Postgres getPostgres() {
        return postgres;
    }

    public void setPostgres(Postgres postgres) {
        this.postgres = postgres;
    }

    public Duration getStopGrace() {
        return stopGrace;
    }

    public void setStopGrace(Duration stopGrace) {
        this.stopGrace = stopGrace;
    }

    public @Nullable URI getPublicUrl() {
        return publicUrl;
    }

    public void setPublicUrl(@Nullable URI publicUrl) {
        this.publicUrl = publicUrl;
    }

    public DataSize getClaimBytes() {
        return claimBytes;
    }

    public void setClaimBytes(DataSize claimBytes) {
        this.claimBytes = claimBytes;
    }

    public Keep getKeep() {
        return keep;
    }

    public void setKeep(Keep keep) {
        this.keep = keep;
    }

    public Handlers getHandlers() {
        return handlers;
    }

    public void setHandlers(Handlers handlers) {
        this.handlers = handlers;
    }

    public Transactions getTransactions() {
        return transactions;
    }

    public void setTransactions(Transactions transactions) {
        this.transactions = transactions;
    }

    public Payloads getPayloads() {
        return payloads;
    }

    public void setPayloads(Payloads payloads) {
        this.payloads = payloads;
    }

    public Schedules getSchedules() {
        return schedules;
    }

    public void setSchedules(Schedules schedules) {
        this.schedules = schedules;
    }

    public Events getEvents() {
        return events;
    }

    public void setEvents(Events events) {
        this.events = events;
    }

    public Users getUsers() {
        return users;
    }

    public void setUsers(Users users) {
        this.users = users;
    }

    public Map<String, Queue> getQueues() {
        return queues;
    }

    public void setQueues(Map<String, Queue> queues) {
        this.queues = Collections.unmodifiableMap(new TreeMap<>(queues));
    }

    public Map<String, Bounds> getLimits() {
        return limits;
    }

    public void setLimits(Map<String, Bounds> limits) {
        this.limits = Collections.unmodifiableMap(new TreeMap<>(limits));
    }

    public Map<String, Room> getRooms() {
        return rooms;
    }

    public void setRooms(Map<String, Room> rooms) {
        this.rooms = Collections.unmodifiableMap(new TreeMap<>(rooms));
    }

    public RoomFilter getRoomFilter() {
        return roomFilter;
    }

    public void setRoomFilter(RoomFilter roomFilter) {
        this.roomFilter = roomFilter;
    }

    public Dashboard getDashboard() {
        return dashboard;
    }

    public void setDashboard(Dashboard dashboard) {
        this.dashboard = dashboard;
    }

    public Live getLive() {
        return live;
    }

    public void setLive(Live live) {
        this.live = live;
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
     * @param contentDedupe Whether a push without a dedupe id is a duplicate of an equal job of its group; FIFO queues
     *     only.
     * @param limit Name of one of orderly.limits.
     * @param key What the key of a job is, computed at its push: params.NAME, user, or payload: with a JSON pointer;
     *     standard queues only.
     * @param perKey What each key may have, over all nodes; needs key, or is of each group of a FIFO queue.
     */
    public record Queue(@Nullable Integer concurrency, @Nullable Duration timeout, @DefaultValue Retry retry,
            @Nullable OnDead onDead, @Nullable DataSize maxPayload, @Nullable Long maxPending,
            @Nullable Long maxLeased, @Nullable Duration unreadableFor, @Nullable Boolean contentDedupe,
            @Nullable String limit, @Nullable String key, @Nullable PerKey perKey) {}

    /**
     * A limit over all nodes.
     *
     * @param concurrency The most jobs that run at once, 1 to 10000.
     * @param rate The most jobs that start in any span of a time, such as 100 per 10s.
     */
    public record Bounds(@Nullable Integer concurrency, @Nullable String rate) {}

    /**
     * What each key of a queue may have, over all nodes.
     *
     * @param concurrency The most jobs that run at once, 1 to 10000.
     * @param rate The most jobs that start in any span of a time, such as 60 per 1m.
     * @param share The part of the concurrency of the queue's limit that running jobs of a key have at most while a job
     *     of another key could start, such as 50%.
     * @param maxPending Waiting and delayed jobs of a key from which on its pushes are refused, 1 to 100000.
     */
    public record PerKey(@Nullable Integer concurrency, @Nullable String rate, @Nullable String share,
            @Nullable Integer maxPending) {}

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
            @DefaultValue("false") boolean endsWithSession, @DefaultValue("" + RoomFilter.FIRST) int order,
            @DefaultValue("5000") int waitingStreams, @DefaultValue("500") int waitingStreamsPerAddress,
            @DefaultValue("4") int streamsPerTicket) {
        /** The first place after the filter of {@code server.forward-headers-strategy}. */
        static final int FIRST = -2_147_483_647;
    }

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
