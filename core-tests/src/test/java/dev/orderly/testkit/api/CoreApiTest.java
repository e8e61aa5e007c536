package dev.orderly.testkit.api;

import dev.orderly.ForwardingStore;
import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.VisitorStore;
import dev.orderly.access.AccessToken;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.AuditStore;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.history.HistoryFigures;
import dev.orderly.job.Batch;
import dev.orderly.job.Handler;
import dev.orderly.job.JobQueue;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.Jobs;
import dev.orderly.job.payload.PayloadChanges;
import dev.orderly.job.payload.PayloadTypes;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.settings.StoredSettings;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.live.ClientMessage;
import dev.orderly.live.LiveConnection;
import dev.orderly.live.LiveOptions;
import dev.orderly.live.LiveSession;
import dev.orderly.live.Message;
import dev.orderly.room.Beacon;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.Openings;
import dev.orderly.room.ProofOfWork;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.Rooms;
import dev.orderly.room.gate.VisitorQuery;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.schedule.Schedules;
import dev.orderly.schedule.Timing;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.api.PublicApiContract;
import dev.orderly.text.LocalizedText;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.core.type.TypeReference;

/** The public API of the core. */
class CoreApiTest extends PublicApiContract {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final MemoryStore store = new MemoryStore();
    private final Orderly orderly = Orderly.open(store);
    private final Rooms rooms = orderly.rooms(TokenKeys.of(List.of(new byte[32])));

    CoreApiTest() throws Exception {
        super(Orderly.class, 600);
        QueueName name = new QueueName("mails");
        Room room = rooms.declare(new RoomName("sale"), openings());
        AccessControl access = new AccessControl(store.credentials(), store.audit(), Time.system(),
                AccessOptions.DEFAULT);
        samples().with(new VisitorId(1, 2));
        samples().with(Jobs.class, orderly.jobs()).with(Schedules.class, orderly.schedules())
                .with(StoredSettings.class, orderly.limitSettings()).with(ForwardingStore.class, new FaultyStore(store))
                .with(PayloadChanges.NONE, orderly.jobs().payloads(), orderly, orderly.users(),
                        orderly.queue("mails", String.class), orderly.fifo("orders.fifo", String.class),
                        orderly.fifo("orders.fifo", String.class).group("g"),
                        orderly.queue("mails", String.class).params(Map.of()),
                        PushRequest.of("mails", Payload.json("1")), QueueOptions.STANDARD, RetryPolicy.STANDARD,
                        EngineOptions.defaults(), LiveOptions.DEFAULT, Timing.parse("daily"),
                        orderly.users().to(new UserId("ann")), PayloadTypes.of(String.class),
                        orderly.queue("mails", String.class).push("a"))
                .with(rooms, room, room.options(), room.options().stay(), room.options().poll(), access, access.audit(),
                        AccessOptions.DEFAULT, TokenSecret.of(new byte[32]), AuditQuery.newest(1), HistoryFigures.NONE,
                        LocalizedText.of(Map.of("de", "Laternen")),
                        new AccessToken(new TokenName("ann"), Role.WORKER, Set.of(name), Instant.EPOCH,
                                Instant.EPOCH.plusSeconds(1)))
                .with(Random.class, new Random(1))
                .with(Limit.concurrency(1), new LimitName("crm"), new Beacon("a lottery", Instant.EPOCH))
                .with(new Rate(1, Duration.ofSeconds(1)), ProofOfWork.DEFAULT, LimitTimetable.NONE,
                        LimitTimetable.From.parse("10:15"), LocalDate.EPOCH, LocalTime.NOON)
                .with(JobSearch.class, JobSearch.ALL)
                .with(VisitorQuery.class, new VisitorQuery.ByPlace(1)).with(VisitorStore.class, store)
                .with(Store.class, store).with(CredentialStore.class, store.credentials())
                .with(AuditStore.class, store.audit()).with(AttemptOutcome.class, new AttemptOutcome.GiveBack())
                .with(TypeReference.class, new TypeReference<List<String>>() {
                })
                .with(JobQueue.class, orderly.queue("mails", String.class))
                .with(Handler.class, (Handler<String>) (_, _) -> {});
        message();
        except("a port of stores: the engines call it, and make its values", "dev.orderly.access.store.*",
                "dev.orderly.job.store.*", "dev.orderly.room.store.*", "dev.orderly.store.copy.*",
                "dev.orderly.history.HistoryStore", "dev.orderly.live.OnlineUserStore",
                "dev.orderly.schedule.ScheduleState",
                "dev.orderly.schedule.ScheduleStep", "dev.orderly.schedule.SchedulePause",
                "dev.orderly.store.BackupPort", "dev.orderly.store.KeyValueStore",
                "dev.orderly.store.StoredValue", "dev.orderly.job.search.JobCandidate",
                "dev.orderly.job.search.JobIdRange");
        except("an answer: only Orderly makes it", "dev.orderly.job.diagnosis.BatchDiagnosis",
                "dev.orderly.job.diagnosis.JobDiagnosis", "dev.orderly.job.engine.QueueStatus",
                "dev.orderly.job.payload.PayloadReport", "dev.orderly.job.search.DeadLetterGroups",
                "dev.orderly.job.search.GroupPage", "dev.orderly.job.search.SearchPage", "dev.orderly.live.OnlineUser",
                "dev.orderly.live.OpenConnection", "dev.orderly.node.NodeReport",
                "dev.orderly.node.NodeStatus", "dev.orderly.room.Draw", "dev.orderly.room.DrawLedger",
                "dev.orderly.room.RoomState",
                "dev.orderly.room.forecast.WaitEstimate", "dev.orderly.room.gate.VisitorDiagnosis",
                "dev.orderly.schedule.PastRun",
                "dev.orderly.schedule.RunResult", "dev.orderly.schedule.ScheduleHistory",
                "dev.orderly.schedule.ScheduleView", "dev.orderly.store.StoreException",
                "dev.orderly.store.StoreLoad");
        except("Orderly calls it: an application implements it", "dev.orderly.trace.Tracer");
        except("a part of an engine, which calls it", "dev.orderly.text.ChosenText", "dev.orderly.time.StoredTime",
                "dev.orderly.job.payload.PayloadFormat", "dev.orderly.OrderlyException");
        shared("says that its bytes are not copied: they may be many", "dev.orderly.job.Payload");
        shared("says that its bytes are not copied: it has many receivers", "dev.orderly.live.Message");
    }

    /** A room with openings, whose values are samples. */
    private RoomOptions openings() {
        ZonedDateTime far = Opening.parseTime("2999-03-01T10:00 UTC");
        Opening opening = new Opening(far, Duration.ZERO, null, null);
        Openings openings = new Openings(List.of(opening), false);
        samples().with(far, opening, openings, openings.at(List.of(), Instant.EPOCH),
                OpeningChange.cancelled(Instant.EPOCH));
        return RoomOptions.of(new Limits(1, null)).withOpenings(openings);
    }

    /** Samples of a batch, and of what only a client that sends a message leads to. */
    private void message() throws Exception {
        Batch batch = orderly.batch("import").then(orderly.queue("mails", String.class), "a");
        samples().with(orderly.batch("import"), batch, batch.view(), batch.name());
        CompletableFuture<ClientMessage> received = new CompletableFuture<>();
        orderly.users().onMessage(received::complete);
        orderly.start();
        LiveSession session = orderly.engines().live()
                .connect(new UserId("ann"), samples().some(LiveConnection.class), null)
                .orElseThrow();
        session.received(new Message.Text("1".getBytes(StandardCharsets.UTF_8)));
        ClientMessage message = received.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        samples().with(session, message, message.connection());
    }

    @AfterEach
    void close() {
        rooms.close();
        orderly.close();
    }
}
