package dev.orderly.server;

import dev.orderly.VisitorStore;
import dev.orderly.config.Config;
import dev.orderly.config.RoomConfig;
import dev.orderly.dashboard.room.WaitingPreviews;
import dev.orderly.dashboard.room.WaitingPreviews.WaitingPreview;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.job.engine.JobClient;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomObserver;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.time.Time;
import dev.orderly.web.room.BacklogSignal;
import dev.orderly.web.room.GatedRoom;
import dev.orderly.web.room.RoomBacklog;
import dev.orderly.web.room.RoomGate;
import dev.orderly.web.room.WaitingStreams;
import dev.orderly.web.room.check.CheckPolicy;
import dev.orderly.web.room.check.JoinCheck;
import dev.orderly.web.room.log.VisitorLog;
import dev.orderly.web.room.page.SamplePages;
import dev.orderly.web.room.page.WaitingPage;
import dev.orderly.web.user.Authenticator;
import dev.orderly.web.webhook.WebhookSecret;
import java.net.http.HttpClient;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** The rooms of a site, and the gateway that applies them at the edge. Started before the edge, closed after it. */
final class EdgeRooms implements AutoCloseable {
    private final RoomEngine rooms;
    private final BacklogSignal backlog;
    private final WaitingStreams streams;
    private final Map<RoomName, WaitingPage> pages = new ConcurrentHashMap<>();
    private final EdgeCapacity capacity;
    private final VisitorLog log;
    private final Authenticator users;
    private final List<WebhookSecret> signing;
    private final HttpClient checking = JoinCheck.newClient();
    private final Map<RoomName, JoinCheck> checks = new ConcurrentHashMap<>();

    /**
     * What watches the rooms.
     *
     * @param observer counts what happens in them
     * @param log records the requests for them
     * @param users whose places are counted
     */
    record Watch(RoomObserver observer, VisitorLog log, Authenticator users) {}

    /**
     * An engine without rooms.
     *
     * @param capacity limits of clients
     * @param secrets sign tokens, and questions about visitors
     * @param jobs engine whose queues may slow a room
     * @param watch records what happens
     */
    EdgeRooms(EdgeCapacity capacity, VisitorStore store, Secrets secrets, JobClient jobs, Watch watch) {
        this.log = watch.log();
        this.users = watch.users();
        this.signing = secrets.webhooks();
        SecureRandom random = new SecureRandom();
        GateId id = new GateId("edge-" + Long.toHexString(random.nextLong()));
        this.rooms = new RoomEngine(store.rooms(), new RoomTokens(secrets.rooms()), id, store.roomClock(Time.system()),
                random)
                .observedBy(watch.observer());
        this.backlog = new BacklogSignal(jobs, Time.system());
        this.streams = new WaitingStreams(capacity.waiting());
        this.capacity = capacity;
    }

    /**
     * The handlers of these rooms; declares those that are new. Blocks on the store.
     *
     * @throws IllegalArgumentException if two rooms protect one path
     */
    EdgeHandlers declare(List<RoomConfig> configs) {
        List<GatedRoom> gated = configs.stream().map(this::gated).toList();
        return gated.isEmpty() ? EdgeHandlers.NONE : EdgeHandlers.NONE.withRooms(new RoomGate(gated, streams));
    }

    /** Changes the options of declared rooms. Called by one thread at a time. */
    void change(List<RoomConfig> configs) {
        configs.forEach(config -> room(config).change(config.options()));
    }

    private GatedRoom gated(RoomConfig config) {
        pages.put(config.name(), config.page());
        return GatedRoom.of(room(config), config.match(), config.page()).withWaitingStatus(config.waitingStatus())
                .withHolds(true).withLog(log).withUsers(users).withCheck(check(config)).withSignIn(config.signIn());
    }

    /** The check of a room: a reload that leaves its settings as they are leaves its state, too. */
    private @Nullable JoinCheck check(RoomConfig config) {
        CheckPolicy policy = config.check();
        return checks.compute(config.name(), (_, known) -> {
            if (policy == null || (known != null && known.policy().equals(policy))) {
                return policy == null ? null : known;
            }
            return new JoinCheck(policy, signing, checking, Time.system());
        });
    }

    private Room room(RoomConfig config) {
        return rooms.find(config.name()).orElseGet(() -> {
            RoomBacklog slowing = config.backlog();
            DoubleSupplier share = slowing == null ? () -> 1 : backlog.of(slowing);
            return rooms.declare(config.name(), config.options(), RoomSignals.ofBacklog(share));
        });
    }

    /** The gateway to the origins of a site. */
    Gateway gateway(Config.Site site) {
        return Gateway.of(site.origins()).withTrusted(site.trusted()).withLimits(capacity.forwarding());
    }

    /** The waiting pages of the declared rooms, for the dashboard. */
    WaitingPreviews previews() {
        SamplePages samples = new SamplePages(rooms, room -> Optional.ofNullable(pages.get(room)));
        return new WaitingPreviews(SamplePages.states(), SamplePages.languages(),
                (room, state, language) -> samples.page(room, state, language)
                        .map(page -> new WaitingPreview(page.html(), page.contentSecurityPolicy())));
    }

    /** The number of open event streams of waiting visitors. */
    int openStreams() {
        return streams.open();
    }

    RoomEngine rooms() {
        return rooms;
    }

    /** Starts the governors. Blocks until each room has had one round. */
    void start() {
        if (!rooms.rooms().isEmpty()) {
            rooms.start();
        }
    }

    @Override
    public void close() {
        rooms.close();
        checking.shutdownNow();
    }
}
