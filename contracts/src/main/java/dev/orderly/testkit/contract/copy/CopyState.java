package dev.orderly.testkit.contract.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.VisitorStore;
import dev.orderly.access.AccessToken;
import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistorySubject;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchView;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobTerms;
import dev.orderly.job.NodeId;
import dev.orderly.job.OnDead;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRequest.IdempotencyKey;
import dev.orderly.job.QueueName;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.WhenDead;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SetResult;
import dev.orderly.job.store.NewBatch;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StepReport;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.room.Beacon;
import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.DrawStep;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.TierShares;
import dev.orderly.room.store.UserJoin;
import dev.orderly.schedule.PastRun;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.SchedulePause;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fills an empty store with a random state in which every kind of data occurs. */
public final class CopyState {
    static final QueueName MAIL = new QueueName("mail");
    static final QueueName ORDERS = new QueueName("orders.fifo");
    static final List<QueueName> QUEUES = List.of(MAIL, ORDERS);
    static final List<RoomName> ROOMS = List.of(new RoomName("sale"), new RoomName("tour"));
    private static final NodeId NODE = new NodeId("node-1");
    private static final GateId GATE = new GateId("gate-1");
    private static final Duration DAY = Duration.ofDays(1);

    private final Random random;
    private final List<NewJob> pushed = new ArrayList<>();
    private final List<ClaimedJob> running = new ArrayList<>();
    private final List<Visitor> visitors = new ArrayList<>();
    private final Instant now;

    /** A visitor with a place. */
    record Visitor(RoomName room, VisitorId id, long epoch, long place) {}

    /** @param now the present of the store */
    public CopyState(long seed, Instant now) {
        this.random = new Random(seed);
        this.now = now.truncatedTo(ChronoUnit.MILLIS);
    }

    /** The moment of the last call. */
    Instant now() {
        return now;
    }

    List<NewJob> pushed() {
        return List.copyOf(pushed);
    }

    /** Jobs that are claimed by a node, or leased. */
    List<ClaimedJob> running() {
        return List.copyOf(running);
    }

    List<Visitor> visitors() {
        return List.copyOf(visitors);
    }

    /** Fills a store: rooms and keys with values, and what else it has. */
    public void fill(VisitorStore store) {
        if (store instanceof Store whole) {
            fillJobs(whole);
            fillSchedules(whole);
            fillAccess(whole);
            fillHistory(whole);
        } else {
            fillValues(store);
        }
        fillRooms(store);
    }

    // ---- jobs

    private void fillJobs(Store store) {
        store.jobs().beat(NODE);
        store.jobs()
                .upkeep(new UpkeepRequest(Duration.ofSeconds(30), 3, Map.of(ORDERS, Declared.anew(OnDead.HALT, NODE)),
                        UpkeepRequest.Retention.DEFAULT, 100), now);
        for (int round = 0; round < 6; round++) {
            List<NewJob> jobs = new ArrayList<>();
            for (int n = 0; n < 12; n++) {
                jobs.add(job(random.nextBoolean() ? MAIL : ORDERS, round * 12 + n));
            }
            List<JobId> ids = store.jobs().push(jobs, now).stream().map(answer -> answer.id()).toList();
            pushed.addAll(jobs);
            store.jobs().cancel(ids.get(random.nextInt(ids.size())), now);
            for (QueueName queue : QUEUES) {
                claim(store, queue, 4).forEach(job -> settle(store, job, random.nextInt(9)));
            }
        }
        BatchView open = fillBatches(store);
        sureEnds(store);
        QueueName gone = new QueueName("forgotten");
        store.jobs().pause(gone, true);
        assertThat(store.jobs().forget(gone)).isEqualTo(new ForgetQueueResult.Forgotten(gone));
        store.jobs().pause(random.nextBoolean() ? MAIL : new QueueName("paused"), true);
        KeySettings stopped = KeySettings.NONE.withPaused(true).changed("ann", now);
        KeySettings bounded = KeySettings.NONE.withBounds(LimitOverride.NONE.withConcurrency(3)
                .withRate(5, Duration.ofMinutes(1))).changed("bob", now);
        assertThat(store.jobs().set(ORDERS, "halted", KeySettings.NONE, stopped)).isEqualTo(SetResult.SET);
        assertThat(store.jobs().set(MAIL, "acme", KeySettings.NONE, bounded)).isEqualTo(SetResult.SET);
        assertThat(store.jobs().set(MAIL, "beta", KeySettings.NONE, bounded.withPaused(true)))
                .isEqualTo(SetResult.SET);
        endBatches(store, open); // last, as it makes queues of its own
    }

    /** A batch that goes on, with members in each state. */
    private BatchView fillBatches(Store store) {
        BatchStore batches = store.jobs().batches();
        TraceContext trace = TraceContext.ofStored("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        NewJob summary = new NewJob(ORDERS, "summaries", Priority.NORMAL, null, Payload.text("summary"),
                Map.of("n", "1"), new UserId("ada"), null, null).traced(trace);
        BatchView open = batches.open(new NewBatch(new BatchName("import"), WhenDead.WAIT, summary), now).batch();
        for (int n = 0; n < 8; n++) {
            NewJob member = job(n % 2 == 0 ? MAIL : ORDERS, 3_000 + n);
            if (member.terms().debounce() == null) {
                member = member.on(member.terms().withBatch(open.member()), member.unique());
                store.jobs().push(List.of(member), now);
            }
        }
        for (QueueName queue : QUEUES) {
            claim(store, queue, 100).forEach(job -> settle(store, job, random.nextInt(9)));
        }
        return open;
    }

    /** Ends the batch that goes on in part, and adds one that is cancelled and one that is finished. */
    private void endBatches(Store store, BatchView open) {
        BatchStore batches = store.jobs().batches();
        NewJob plain = new NewJob(MAIL, null, Priority.HIGH, null, Payload.json("{}"), Map.of(), null, null, null);
        endMembers(store, open);
        batches.close(open.number(), now);
        BatchView cancelled = batches.open(new NewBatch(new BatchName("cancelled"), WhenDead.FINISH, plain), now)
                .batch();
        NewJob left = new NewJob(new QueueName("left"), null, Priority.NORMAL, null, Payload.text("left"), Map.of(),
                null, null, null);
        store.jobs().push(List.of(left.on(left.terms().withBatch(cancelled.member()), null)), now);
        batches.cancel(cancelled.number(), now);
        BatchView finished = batches.open(new NewBatch(new BatchName("finished"), WhenDead.FINISH, plain), now).batch();
        batches.close(finished.number(), now);
        assertThat(batches.finish(now).callbacks()).contains(MAIL);
    }

    /** Ends a member of a batch in each way. */
    private void endMembers(Store store, BatchView batch) {
        QueueName own = new QueueName("members");
        for (AttemptOutcome end : List.of(new AttemptOutcome.Done(null),
                new AttemptOutcome.Dead(new JobFailure("Broken", "at all"), false),
                new AttemptOutcome.Cancelled("not needed"))) {
            NewJob member = new NewJob(own, null, Priority.NORMAL, null, Payload.text("member"), Map.of(), null, null,
                    null);
            store.jobs().push(List.of(member.on(member.terms().withBatch(batch.member()), null)), now);
            ClaimedJob claimed = store.jobs()
                    .claim(new ClaimRequest(NODE, List.of(new ClaimRequest.Demand(own, 1))), now).jobs().getFirst();
            store.jobs().settle(List.of(new Settlement(NODE, claimed.attempt(), end)), now);
        }
    }

    /** Asks to cancel some of the jobs that run: the copy has them as cancelled. */
    public void cancelSome(VisitorStore store) {
        for (int n = 0; n < running.size() && store instanceof Store whole; n += 3) {
            whole.jobs().cancel(running.get(n).id(), now);
        }
    }

    /** Ends that a random run might not have: each column is filled at least once. */
    private void sureEnds(Store store) {
        store.jobs().pause(MAIL, false);
        for (int how = 0; how < 10; how++) {
            NewJob plain = job(MAIL, 1_000 + how);
            NewJob urgent = new NewJob(MAIL, null, Priority.HIGH, null, plain.payload(), Map.of("n", "1"),
                    new UserId("ada"), plain.dedupe(), plain.fingerprint(), plain.idempotency(), null,
                    TraceContext.ofStored("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"), null,
                    JobTerms.NONE, null);
            store.jobs().push(List.of(urgent), now);
            pushed.add(urgent);
            List<ClaimedJob> claimed = claim(store, MAIL, 1);
            if (!claimed.isEmpty()) {
                settle(store, claimed.getFirst(), how);
            }
        }
        for (ClaimedJob first : claim(store, MAIL, 1)) {
            store.jobs().settle(List.of(new Settlement(NODE, first.attempt(),
                    new AttemptOutcome.Retry(now, new JobFailure("Later", "at all")))), now);
            for (ClaimedJob again : claim(store, MAIL, 100)) {
                settle(store, again, again.attempt().id().equals(first.id()) ? 0 : 6);
            }
        }
        for (int n = 0; n < 3; n++) {
            NewJob order = new NewJob(ORDERS, "halted", Priority.NORMAL, null, Payload.text("h" + n), Map.of(), null,
                    null, null);
            store.jobs().push(List.of(order), now);
            pushed.add(order);
        }
        while (running.stream().noneMatch(job -> "halted".equals(job.group()))) {
            List<ClaimedJob> claimed = claim(store, ORDERS, 10);
            if (claimed.isEmpty()) {
                return;
            }
            claimed.forEach(job -> settle(store, job, job.group() != null && job.group().equals("halted") ? 3 : 0));
            if (claimed.stream().anyMatch(job -> "halted".equals(job.group()))) {
                return;
            }
        }
    }

    private NewJob job(QueueName queue, int number) {
        boolean fifo = queue.isFifo();
        String group = fifo ? "g" + random.nextInt(4) : null;
        Instant runAt = !fifo && random.nextInt(6) == 0 ? now.plusSeconds(random.nextInt(3_600) + 1L) : null;
        DedupeKey dedupe = random.nextInt(3) == 0 ? DedupeKey.ofId(queue, group, "id" + number) : null;
        IdempotencyKey key = random.nextInt(3) == 0 ? new IdempotencyKey(hash("k" + number), hash("r" + number)) : null;
        Payload payload = random.nextBoolean()
                ? Payload.text("body " + number)
                : Payload.json("{\"n\":" + number + "}");
        return new NewJob(queue, group, fifo ? Priority.NORMAL : any(List.of(Priority.values())), runAt, payload,
                random.nextBoolean() ? Map.of() : Map.of("path", "/a", "n", Integer.toString(number)),
                random.nextBoolean() ? null : new UserId("user" + random.nextInt(3)), dedupe,
                dedupe != null && random.nextBoolean() ? hash("f" + number) : null, key, null,
                random.nextBoolean()
                        ? null
                        : TraceContext.ofStored("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
                pushed.isEmpty() || random.nextInt(4) > 0 ? null : JobId.of(random.nextLong() >>> 1, 7),
                terms(queue, number, dedupe),
                dedupe != null || number % 3 == 1
                        ? null
                        : number % 3 == 0
                                ? DedupeKey.ofUnique(queue, group, "unique " + number, null)
                                : fifo ? null : DedupeKey.ofDebounce(queue, "debounce " + number, null));
    }

    private JobTerms terms(QueueName queue, int number, @Nullable DedupeKey dedupe) {
        if (number % 3 == 0) {
            return new JobTerms(now.plus(DAY), RetryPolicy.FIFO, Duration.ofSeconds(9), "unique " + number)
                    .withKey(queue.isFifo() || number % 2 > 0 ? null : "key " + number % 4).withCost(1 + number % 4);
        }
        if (dedupe != null) {
            return number % 3 == 1 ? new JobTerms(null, null, null, null, null, DAY) : JobTerms.NONE;
        }
        return number % 3 == 1 || queue.isFifo()
                ? JobTerms.NONE
                : new JobTerms(null, null, null, null,
                        new JobTerms.Debounce("debounce " + number, number % 2 == 0 ? null : DAY), null);
    }

    private List<ClaimedJob> claim(Store store, QueueName queue, int limit) {
        return store.jobs().claim(new ClaimRequest(NODE, List.of(new ClaimRequest.Demand(queue, limit))), now).jobs();
    }

    private void settle(Store store, ClaimedJob job, int how) {
        JobFailure failure = new JobFailure("It broke " + how, "at Handler.java:" + job.sequence());
        AttemptOutcome outcome = switch (how) {
            case 0 -> new AttemptOutcome.Done(Payload.text("result"));
            case 1 -> new AttemptOutcome.Done(null);
            case 2 -> new AttemptOutcome.Dead(failure, false);
            case 3 -> new AttemptOutcome.Dead(failure, true);
            case 4 -> new AttemptOutcome.Retry(now.plus(DAY), failure);
            case 5 -> new AttemptOutcome.Leased(Duration.ofMinutes(5));
            case 6 -> new AttemptOutcome.GiveBack();
            case 7 -> new AttemptOutcome.Cancelled("by hand");
            case 8 -> new AttemptOutcome.Awaiting(Set.of("approval"), now.plus(DAY));
            default -> null;
        };
        store.jobs().progress(List.of(new ProgressReport(NODE, job.attempt(), new JobProgress(how, 10, "half"))), now);
        store.jobs().keep(new StepReport(NODE, job.attempt(), "charge", Payload.text("step " + how)), now);
        store.jobs().keep(new StepReport(NODE, job.attempt(), "book", null), now);
        store.jobs().await(new EventWait(NODE, job.attempt(), "approval", now.plus(DAY)), now);
        store.jobs().await(new EventWait(NODE, job.attempt(), "missed", now.minus(DAY)), now);
        store.jobs().event(new NewEvent(job.id(), "payment", how % 2 == 0 ? null : "shop", Payload.text("p" + how)),
                now);
        if (outcome != null) {
            store.jobs().settle(List.of(new Settlement(NODE, job.attempt(), outcome)), now);
        }
        if (outcome == null || outcome instanceof AttemptOutcome.Leased) {
            running.add(job);
        }
    }

    private static DedupeKey hash(String text) {
        return DedupeKey.of(text.getBytes(StandardCharsets.UTF_8));
    }

    // ---- schedules, access, history, values

    private void fillSchedules(Store store) {
        Instant before = now.minus(DAY);
        ScheduleState state = store.schedules().declare(new ScheduleName("daily"), Declared.anew("0 7 * * *", NODE),
                before);
        for (ScheduleStep step : List.of(new ScheduleStep.Skip(before.plusSeconds(1)),
                new ScheduleStep.Fire(before.plusSeconds(2), job(MAIL, 2_000)))) {
            state = store.schedules().take(state, step, before.plusSeconds(3)).orElseThrow();
        }
        JobId run = Objects.requireNonNull(state.job());
        state = store.schedules().take(state, new ScheduleStep.End(run, PastRun.Outcome.DONE, now), now).orElseThrow();
        var _ = store.schedules().take(state, new ScheduleStep.Pause(new SchedulePause(now, "token ops")), now)
                .orElseThrow();
        store.schedules().declare(new ScheduleName("never"), Declared.anew("every 15 minutes", NODE), now);
    }

    private void fillAccess(Store store) {
        for (int n = 0; n < 3; n++) {
            TokenName name = new TokenName("token-" + n);
            store.credentials().create(new StoredToken(new AccessToken(name, n == 0 ? Role.WORKER : Role.ADMIN,
                    n == 0 ? Set.of(MAIL, ORDERS) : Set.of(), now.minusSeconds(n), n == 1 ? now.plus(DAY) : null),
                    "hash" + n + random.nextInt(), n == 2 ? null : now));
            store.credentials().open(new LoginSession("session" + n, name, now.minusSeconds(n), now));
            long id = store.audit().append(new AuditAct(now.minusSeconds(n), Identity.Kind.TOKEN, "token-" + n,
                    "192.0.2." + n, "queue.pause", "mail", n == 0 ? null : "running"), AuditEntry.Outcome.UNKNOWN,
                    null);
            if (n > 0) {
                store.audit().end(id, AuditEntry.Outcome.DONE, "paused");
            }
        }
        fillValues(store);
        store.settings().replace("queue-settings", 0, "{}", Instant.parse("9999-12-31T00:00:00Z"), now);
    }

    private void fillValues(VisitorStore store) {
        for (int n = 0; n < 4; n++) {
            store.keyValues().replace("value*" + n, 0, "text " + random.nextInt(), now.plus(DAY), now);
        }
        store.keyValues().replace("gone", 0, "x", now.plusMillis(1), now);
    }

    private void fillHistory(Store store) {
        Instant minute = now.truncatedTo(ChronoUnit.MINUTES);
        for (int n = 0; n < 5; n++) {
            HistoryFigures figures = new HistoryFigures.Builder().add(HistoryFigure.PUSHED, 1 + random.nextInt(9))
                    .build();
            store.history().append("source-" + n % 2,
                    List.of(new HistoryPart(HistorySubject.of(MAIL), minute.minusSeconds(60L * n), figures),
                            new HistoryPart(HistorySubject.of(ROOMS.getFirst()), minute, figures)));
        }
    }

    // ---- rooms

    private void fillRooms(VisitorStore store) {
        for (RoomName room : ROOMS) {
            if (room.equals(ROOMS.getLast())) {
                visit(store, room, 20);
                store.rooms().change(room, new RoomChange.NewEpoch(), now);
            }
            visit(store, room, (room.equals(ROOMS.getFirst()) ? 1_030 : 40) + random.nextInt(200));
            store.rooms().change(room, new RoomChange.Message(
                    RoomChange.Message.of("Back at " + random.nextInt(24)).text()), now);
            store.rooms().change(room, new RoomChange.Admit(3 + random.nextInt(4)), now);
            store.rooms().change(room, new RoomChange.Settings(room.equals(ROOMS.getFirst())
                    ? new Limits(5 + random.nextInt(90), new Rate(9, Duration.ofSeconds(15)))
                    : new Limits(null, null)), now);
            store.rooms().change(room, new RoomChange.Openings(List.of(), List.of(new OpeningChange(
                    now.plusSeconds(60), now.plusSeconds(random.nextInt(999)).atZone(ZoneId.of("Europe/Berlin")), null,
                    random.nextBoolean())), now.plusSeconds(60)), now);
            draw(store, room);
            store.rooms().change(room, new RoomChange.Mode(room.equals(ROOMS.getFirst())
                    ? RoomMode.AUTO
                    : any(List.of(RoomMode.values()))), now);
        }
    }

    /** One draw that was made, and the lobby of another; with tiers, it is closed. */
    private void draw(VisitorStore store, RoomName room) {
        boolean tiers = room.equals(ROOMS.getFirst());
        if (tiers) {
            store.rooms().govern(room, new GovernorStep(GATE, now.plusSeconds(3), Limits.CLOSED, SlowdownReason.NO, 0,
                    0, now.minus(DAY), new TierShares(80, 0, List.of(new TierShares.Share("members", 20)))), now);
        }
        for (Instant opening : List.of(now, now.plusSeconds(9))) {
            step(store, room, new DrawStep.Commit(opening, new Beacon("a lottery", opening),
                    HexFormat.of().toHexDigits(random.nextLong()).repeat(4), tiers));
            store.rooms().join(room, Stream.generate(() -> new JoinRequest(VisitorId.random(random), now, now,
                    HexFormat.of().toHexDigits(random.nextLong()).repeat(4), random.nextBoolean() ? "members" : null))
                    .limit(3).toList(), now);
            if (opening.equals(now)) {
                step(store, room, new DrawStep.Close(now));
                step(store, room, new DrawStep.Root(now, 3, "ab".repeat(32), List.of("members")));
                step(store, room, new DrawStep.Value(now, "17"));
                step(store, room, new DrawStep.Reveal(now));
            } else if (tiers) {
                step(store, room, new DrawStep.Close(opening));
            }
        }
    }

    private void step(VisitorStore store, RoomName room, DrawStep step) {
        store.rooms().change(room, new RoomChange.Draw(step), now);
    }

    private void visit(VisitorStore store, RoomName room, int number) {
        long epoch = sync(store, room, 1);
        store.rooms().govern(room, step(Limits.CLOSED), now);
        List<JoinRequest> joins = new ArrayList<>();
        for (int n = 0; n < number; n++) {
            UserJoin user = new UserJoin(VisitorId.random(random), List.of(), now.plus(Duration.ofDays(1)),
                    now.plus(Duration.ofHours(4)));
            joins.add(new JoinRequest(VisitorId.random(random), now.plusSeconds(60), now.plusSeconds(300), null, null,
                    null, random.nextInt(3) == 0 ? user : null));
        }
        List<Visitor> came = new ArrayList<>();
        List<JoinResult> places = store.rooms().join(room, joins, now);
        var _ = sync(store, room, epoch);
        for (int n = 0; n < number; n++) {
            if (places.get(n) instanceof JoinResult.Placed(long of, long place, long _)) {
                came.add(new Visitor(room, joins.get(n).visitor(), of, place));
            }
        }
        store.rooms().govern(room, step(new Limits(number, null)), now);
        List<AdmissionRequest> requests = came.stream().filter(_ -> random.nextInt(3) > 0)
                .map(each -> new AdmissionRequest(each.id, each.epoch, each.place, now.plusSeconds(60),
                        now.plusSeconds(random.nextInt(6) == 0 ? 0 : 600 + random.nextInt(600)),
                        random.nextInt(4) == 0 ? AdmissionRequest.Kind.UNTAKEN : AdmissionRequest.Kind.RECORDED))
                .toList();
        store.rooms().admit(room, requests, now.minusSeconds(1));
        store.rooms().admit(room, requests.subList(0, requests.size() / 2), now);
        store.rooms().depart(room, came.stream().filter(_ -> random.nextInt(8) == 0)
                .map(each -> new Departure(each.id, each.epoch, random.nextBoolean() ? each.place : 0, now.plus(DAY)))
                .toList(), now);
        store.rooms().move(room, came.stream().filter(_ -> random.nextInt(9) == 0)
                .map(each -> new MoveRequest(each.id, each.epoch, each.place, VisitorId.random(random),
                        now.plus(DAY)))
                .toList(), now);
        visitors.removeIf(each -> each.room.equals(room));
        visitors.addAll(came);
    }

    private long sync(VisitorStore store, RoomName room, long epoch) {
        long current = store.rooms().sync(room, new GateReport(GATE, epoch, 1L << 40, List.of(),
                new GateLease(now, now)), now).epoch();
        return current == epoch
                ? epoch
                : store.rooms().sync(room, new GateReport(GATE, current, 1L << 40, List.of(),
                        new GateLease(now, now)), now).epoch();
    }

    /** Sets limits that let nobody in: a store that was opened anew knows none until then. */
    void close(VisitorStore store, RoomName room) {
        store.rooms().govern(room, step(Limits.CLOSED), now);
    }

    private GovernorStep step(Limits limits) {
        return new GovernorStep(GATE, now.plusSeconds(3), limits, SlowdownReason.NO, 10_000, 1L << 40, now.minus(DAY));
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
