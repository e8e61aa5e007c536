package dev.orderly;

import dev.orderly.flow.Lifecycle;
import dev.orderly.history.HistoryReader;
import dev.orderly.job.bulk.BulkOperations;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.EventUrls;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.pull.PullClaims;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.settings.LimitSettings;
import dev.orderly.job.settings.QueueSettings;
import dev.orderly.job.settings.SettingsLoop;
import dev.orderly.live.LiveEngine;
import dev.orderly.live.LiveNode;
import dev.orderly.live.LiveOptions;
import dev.orderly.node.NodeDirectory;
import dev.orderly.node.NodeWork;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.schedule.ScheduleDefinitions;
import dev.orderly.schedule.ScheduleEngine;
import dev.orderly.store.StoreBackups;
import dev.orderly.store.watch.StoreWatch;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The engines of one instance, with their start and their end: what servers, pages and frameworks work with, where an
 * application has {@link Orderly}.
 */
@Internal(to = "dev.orderly")
public final class Engines {
    private final Store store;
    private final Time time;
    private final JobClient jobs;
    private final QueueSettings settings;
    private final LimitSettings limits;
    private final ScheduleDefinitions definitions;
    private final SettingsLoop settingsLoop;
    private final JobWorker worker;
    private final PullClaims pulls;
    private final BulkOperations bulk;
    private final ScheduleEngine schedules;
    private final LiveEngine live;
    private final NodeDirectory nodes;
    private final HistoryReader history;
    private final Lives lives = new Lives();
    private final StoreBackups backups;
    private final StoreWatch stores;

    Engines(Store store, EngineOptions given, LiveOptions liveOptions) {
        this.store = store;
        this.time = given.time();
        EngineOptions options = given.withTime(store.clock(given.time()));
        LiveNode node = new LiveNode(options.node(), store.bus(), store.presence());
        this.live = new LiveEngine(liveOptions, options.time(), options.json(), node, lives.live);
        this.jobs = new JobClient(store.jobs(), store.jobViews(), options, store.bus(), store.transactionalJobs(),
                lives.jobs);
        this.settings = new QueueSettings(store.settings(), options.time(), jobs::override);
        this.limits = new LimitSettings(store.settings(), options.time(), jobs::overrideLimits);
        jobs.onForget(settings::forget);
        jobs.signEvents(new EventUrls(store.settings(), options.time(), options.publicUrl()));
        this.worker = new JobWorker(jobs, (user, value) -> live.users().to(user).send(value));
        this.pulls = new PullClaims(store.jobs(), jobs, options, lives.pulls);
        this.bulk = new BulkOperations(jobs, store.jobFinder(), options.time(), lives.bulk);
        this.schedules = new ScheduleEngine(store.schedules(), jobs, worker, options.node(), options.time(),
                lives.schedules);
        this.definitions = new ScheduleDefinitions(store.settings(), options.time(), schedules::define);
        this.settingsLoop = new SettingsLoop(List.of(settings, limits, definitions), store.settings().isShared(),
                store.bus(), options.time(), lives.settings);
        this.nodes = new NodeDirectory(options.node(), store.bus(), options.time(), ProgramVersion.current(),
                new Work(worker, live), lives.nodes);
        live.join(nodes.questions());
        this.history = new HistoryReader(store.history(), options.time());
        this.backups = new StoreBackups(store.backup());
        this.stores = new StoreWatch(store.parts(), options.time(), lives.stores);
    }

    /** Start and end of the parts, which their views do not show. */
    private static final class Lives {
        private final Lifecycle jobs = new Lifecycle();
        private final Lifecycle settings = new Lifecycle();
        private final Lifecycle pulls = new Lifecycle();
        private final Lifecycle bulk = new Lifecycle();
        private final Lifecycle schedules = new Lifecycle();
        private final Lifecycle live = new Lifecycle();
        private final Lifecycle nodes = new Lifecycle();
        private final Lifecycle stores = new Lifecycle();
    }

    /** The work of this node. */
    private record Work(JobWorker worker, LiveEngine live) implements NodeWork {
        @Override
        public int running() {
            return worker.running();
        }

        @Override
        public int users() {
            return live.onlineHere();
        }

        @Override
        public boolean isDraining() {
            return worker.isDraining();
        }

        @Override
        public void drain(boolean on) {
            worker.drain(on);
        }
    }

    /** As {@link Orderly#rooms}. */
    RoomEngine rooms(TokenKeys keys) {
        RoomEngine rooms = new RoomEngine(store.rooms(), new RoomTokens(keys), store.roomClock(time));
        try {
            rooms.join(nodes.questions());
        } catch (IllegalStateException e) {
            throw new IllegalStateException("This instance has rooms already: use those, or close them first", e);
        }
        return rooms;
    }

    void start() {
        worker.checkNew();
        lives.stores.start();
        settingsLoop.load();
        worker.start();
        lives.settings.start();
        lives.pulls.start();
        lives.schedules.start();
        lives.live.start();
        lives.nodes.start();
    }

    /** As {@link Orderly#stop}. */
    void stop() {
        worker.drain(true);
        lives.nodes.announceEnd();
        lives.bulk.end();
        lives.schedules.end();
        lives.pulls.end();
        worker.stop();
        lives.settings.end();
        lives.jobs.end();
        lives.live.end();
        lives.nodes.end();
        lives.stores.end();
    }

    /** Stalled background work, whatever the state of the store. */
    List<String> stalls() {
        return Stream
                .of(worker.stalls(), settingsLoop.stall().stream().toList(), pulls.stall().stream().toList(),
                        schedules.stalls(), live.stalls(),
                        nodes.stall().stream().toList())
                .flatMap(List::stream).toList();
    }

    /** As {@link JobWorker#sinceBeat}. */
    public Duration sinceBeat() {
        return worker.sinceBeat();
    }

    Store store() {
        return store;
    }

    public JobClient jobs() {
        return jobs;
    }

    JobWorker worker() {
        return worker;
    }

    /** The claims of workers elsewhere, for queues declared with {@link JobClient#pull}. */
    public PullClaims pulls() {
        return pulls;
    }

    /** Search over jobs, dead letters by error, and groups of FIFO queues. */
    public JobFinder finder() {
        return store.jobFinder();
    }

    /** Redriving and cancelling many jobs, on this node. */
    public BulkOperations bulk() {
        return bulk;
    }

    /** The settings of queues that operators change over all nodes; in force from {@link Orderly#start} on. */
    public QueueSettings settings() {
        return settings;
    }

    LimitSettings limits() {
        return limits;
    }

    ScheduleDefinitions definitions() {
        return definitions;
    }

    public ScheduleEngine schedules() {
        return schedules;
    }

    public LiveEngine live() {
        return live;
    }

    public NodeDirectory nodes() {
        return nodes;
    }

    /** The history of queues and rooms, as far as nodes record it in this store. */
    public HistoryReader history() {
        return history;
    }

    StoreBackups backups() {
        return backups;
    }

    StoreWatch stores() {
        return stores;
    }
}
