package dev.orderly.testkit.contract.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.VisitorStore;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.history.HistoryStore.Scale;
import dev.orderly.history.HistorySubject;
import dev.orderly.job.JobRun;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobSnapshot;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.testkit.contract.copy.CopyState.Visitor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The answers of a store and of its copy to the same questions, through the ports that applications use. Both were
 * opened anew after the copy.
 */
public final class CopyViews {
    private final CopyState state;

    public CopyViews(CopyState state) {
        this.state = state;
    }

    /** Compares all answers of stores of one kind, first of views and then of calls that change both. */
    public void compare(VisitorStore source, VisitorStore copy) {
        if (source instanceof Store whole && copy instanceof Store copied) {
            compareJobs(whole, copied);
        }
        compareVisitors(source, copy);
    }

    private void compareJobs(Store source, Store copy) {
        fences(copy);
        source.jobs().settle(state.running().stream()
                .map(job -> new Settlement(null, job.attempt(), new AttemptOutcome.GiveBack())).toList(), state.now());
        assertThat(looks(copy)).containsExactlyEntriesOf(looks(source));
        assertThat(pushes(copy)).as("answers to repeated pushes").isEqualTo(pushes(source));
        assertThat(claims(copy)).as("order of claims").isEqualTo(claims(source));
    }

    /** Attempts of the source are over: their workers cannot settle the jobs of the copy. */
    private void fences(Store copy) {
        for (ClaimedJob job : state.running()) {
            assertThat(copy.jobs().settle(List.of(new Settlement(null, job.attempt(), new AttemptOutcome.Done(null))),
                    state.now())).containsExactly(SettleResult.LEASE_LOST);
            copy.jobViews().find(job.id()).ifPresent(view -> assertThat(view.attempt())
                    .isGreaterThanOrEqualTo(job.attempt().number()));
        }
    }

    private Map<String, Object> looks(Store store) {
        Map<String, Object> looks = new TreeMap<>();
        List<QueueName> queues = store.jobViews().queues().stream().map(QueueView::queue).toList();
        looks.put("queues", store.jobViews().queues().stream().map(CopyViews::comparable).toList());
        for (QueueName queue : queues) {
            List<JobView> jobs = new ArrayList<>();
            for (JobState each : JobState.values()) {
                jobs.addAll(store.jobViews().list(queue, each, null, 1_000));
            }
            jobs.sort(Comparator.comparing(JobView::id));
            looks.put("jobs of " + queue, jobs.stream().map(CopyViews::comparable).toList());
            looks.put("blockers of " + queue, jobs.stream().filter(job -> job.state() == JobState.WAITING)
                    .map(job -> store.jobViews().blocker(job.id()).toString()).toList());
            looks.put("attempts of " + queue, jobs.stream().filter(job -> !isRunning(job))
                    .map(job -> store.jobViews().attempts(job.id())).toList());
            looks.put("settings of keys of " + queue, store.jobViews().keys(queue, null, 1_000).stream()
                    .filter(key -> !key.settings().isEmpty()).map(key -> key.key() + " " + key.settings()).sorted()
                    .toList());
            looks.put("dead by error in " + queue, store.jobFinder().dead(queue).groups().stream()
                    .map(each -> each.error() + " " + each.count()).toList());
        }
        looks.put("batches", store.jobs().batches().list(Long.MAX_VALUE, 1_000));
        looks.put("schedules", store.schedules().states());
        looks.put("tokens", store.credentials().read().tokens());
        looks.put("sessions", Set.copyOf(store.credentials().read().sessions()));
        looks.put("audit log", store.audit().list(AuditQuery.newest(1_000)));
        looks.put("settings", store.settings().read("queue-settings", state.now()).map(value -> value.text()));
        Instant from = state.now().minus(Duration.ofHours(3));
        for (Scale scale : Scale.values()) {
            looks.put("history by " + scale, store.history().read(HistorySubject.of(CopyState.MAIL), scale, from,
                    state.now().plusSeconds(3_600)));
        }
        return looks;
    }

    /** Jobs that ran wait again, and the attempt that was given back at the source is not among theirs. */
    private boolean isRunning(JobView job) {
        return state.running().stream().anyMatch(each -> each.id().equals(job.id()));
    }

    /** Leased jobs wait in the copy, nodes are not kept, and a due job may be shown as delayed until the next claim. */
    private static JobView comparable(JobView job) {
        boolean ran = job.state() == JobState.RUNNING;
        JobRun run = job.run() == null || ran || job.run().startedAt() == null
                ? null
                : new JobRun(null, job.run().startedAt());
        return new JobSnapshot(job.id(), job.queue(), job.group(), job.priority(), ran ? JobState.WAITING : job.state(),
                job.attempt(), job.failures(), job.dueAt(), job.endedAt(), job.user(), job.params(), job.payload(),
                job.failure(), job.progress(), job.result(), job.reason(), null, job.origin(), run, job.trace(),
                job.terms());
    }

    private static List<Object> comparable(QueueView queue) {
        return List.of(queue.queue(), queue.paused(), queue.waiting() + queue.running(), queue.delayed(),
                queue.dead(), queue.done(), queue.halted());
    }

    private List<PushResult> pushes(Store store) {
        List<PushResult> answers = new ArrayList<>();
        state.pushed().stream().filter(job -> job.dedupe() != null || job.idempotency() != null)
                .forEach(job -> answers.addAll(store.jobs().push(List.of(job), state.now())));
        assertThat(answers).noneMatch(PushResult.Accepted.class::isInstance);
        return answers;
    }

    /** All claims of a new node, in the order of the answers; of a group, and of a class, in their order. */
    private Map<String, List<String>> claims(Store store) {
        NodeId node = new NodeId("node-2");
        store.jobs().beat(node);
        Map<String, List<String>> order = new TreeMap<>();
        for (QueueName queue : CopyState.QUEUES) {
            store.jobs().pause(queue, false);
            for (List<ClaimedJob> claimed = claim(store, node, queue); !claimed.isEmpty(); claimed = claim(store, node,
                    queue)) {
                for (ClaimedJob job : claimed) {
                    String lane = queue + " " + (job.group() == null ? priority(store, job) : job.group());
                    order.computeIfAbsent(lane, _ -> new ArrayList<>())
                            .add(job.id() + " " + job.attempt().number() + " " + job.failures() + " " + job.crashes());
                    store.jobs().settle(List.of(new Settlement(node, job.attempt(), new AttemptOutcome.Done(null))),
                            state.now());
                }
            }
        }
        return order;
    }

    private static String priority(Store store, ClaimedJob job) {
        return store.jobViews().find(job.id()).map(view -> view.priority().toString()).orElse("");
    }

    private List<ClaimedJob> claim(Store store, NodeId node, QueueName queue) {
        return store.jobs().claim(new ClaimRequest(node, List.of(new ClaimRequest.Demand(queue, 5))), state.now())
                .jobs();
    }

    // ---- rooms

    private void compareVisitors(VisitorStore source, VisitorStore copy) {
        for (int n = 0; n < 4; n++) {
            String key = "value*" + n;
            assertThat(copy.keyValues().read(key, state.now()).map(value -> value.text())).as(key).isNotEmpty()
                    .isEqualTo(source.keyValues().read(key, state.now()).map(value -> value.text()));
        }
        assertThat(rooms(copy)).isEqualTo(rooms(source));
        assertThat(answers(copy)).isEqualTo(answers(source));
    }

    private Map<RoomName, Object> rooms(VisitorStore store) {
        Map<RoomName, Object> rooms = new TreeMap<>();
        for (RoomState room : store.rooms().rooms(state.now())) {
            rooms.put(room.room(), new ArrayList<@Nullable Object>(Arrays.asList(room.epoch(), room.mode(),
                    room.message(), room.line().length(), room.line().cursor(), room.line().crowded(),
                    room.load().active(), room.load().granted(), room.override(), room.voided(),
                    room.moved(), room.openings())));
        }
        return rooms;
    }

    /** The answers to the tickets and passes of all visitors, and the next place. */
    private Map<String, Object> answers(VisitorStore store) {
        Map<String, Object> answers = new HashMap<>();
        for (RoomName room : CopyState.ROOMS) {
            List<Visitor> visitors = state.visitors().stream().filter(each -> each.room().equals(room)).toList();
            state.close(store, room);
            List<AdmissionResult> admitted = store.rooms().admit(room, visitors.stream()
                    .map(each -> new AdmissionRequest(each.id(), each.epoch(), each.place(), state.now(),
                            state.now().plusSeconds(1), AdmissionRequest.Kind.TAKEN))
                    .toList(), state.now());
            answers.put("tickets of " + room, admitted.stream().map(CopyViews::comparable).toList());
            answers.put("passes of " + room, store.rooms().renew(room, visitors.stream()
                    .map(each -> new RenewalRequest(each.id(), each.epoch(), each.place(),
                            state.now().plusSeconds(30), false))
                    .toList(), state.now()));
            JoinResult next = store.rooms().join(room, List.of(new JoinRequest(visitors.getFirst().id(), state.now(),
                    state.now())), state.now()).getFirst();
            answers.put("next place of " + room, next.getClass().getSimpleName() + place(next));
        }
        return answers;
    }

    private static String place(JoinResult result) {
        return result.epoch() + " " + result.place();
    }

    private static Object comparable(AdmissionResult result) {
        return result instanceof AdmissionResult.Waits ? "waits" : Objects.requireNonNull(result);
    }
}
