package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;

class EngineRunTest extends EngineTest {
    record Profile(String user, int version) {}

    @Test
    void aHandlerGetsThePayloadAndAllDataPushedWithIt() throws InterruptedException {
        FifoQueue<Profile> profiles = orderly.fifo("profiles.fifo", Profile.class);
        BlockingQueue<Map<String, Object>> seen = new LinkedBlockingQueue<>();
        orderly.handle(profiles, (profile, job) -> seen.put(Map.of("profile", profile, "id", job.id(), "queue",
                job.queueName().value(), "group", job.groupId().orElseThrow(), "params", job.params(), "user",
                job.userId().orElseThrow(), "attempt", job.attempt(), "failures", job.failures(), "sequence",
                job.sequenceNumber())));
        orderly.start();
        Instant before = time.now();
        JobId id = profiles.group("ann").params(Map.of("source", "web")).user(new UserId("u-1"))
                .push(new Profile("ann", 3));
        assertThat(seen.take()).isEqualTo(Map.of("profile", new Profile("ann", 3), "id", id, "queue", "profiles.fifo",
                "group", "ann", "params", Map.of("source", "web"), "user", new UserId("u-1"), "attempt", 1, "failures",
                0,
                "sequence", id.sequence()));
        assertThat(id.pushedAt()).isBetween(before.minusMillis(1), time.now());
        awaitState(id, JobState.DONE);
    }

    @Test
    void aPayloadOfAGenericTypeIsReadAsThatType() throws InterruptedException {
        StandardQueue<List<Profile>> lists = orderly.queue("lists", new TypeReference<List<Profile>>() {
        });
        FifoQueue<Map<String, Profile>> named = orderly.fifo("named.fifo", new TypeReference<Map<String, Profile>>() {
        });
        BlockingQueue<Profile> seen = new LinkedBlockingQueue<>();
        orderly.handle(lists, (list, _) -> seen.put(list.getFirst()));
        orderly.handle(named, (byName, _) -> seen.put(byName.get("ann")));
        orderly.start();
        lists.push(List.of(new Profile("ann", 3)));
        assertThat(seen.take()).isEqualTo(new Profile("ann", 3));
        named.group("g").push(Map.of("ann", new Profile("ann", 4)));
        assertThat(seen.take()).isEqualTo(new Profile("ann", 4));
    }

    @Test
    void aChangedConcurrencyAndPayloadLimitHoldWhileJobsRun() throws InterruptedException {
        QueueOptions two = QueueOptions.STANDARD.withConcurrency(2);
        StandardQueue<Integer> queue = orderly.queue("numbers", Integer.class, _ -> two);
        BlockingQueue<Integer> started = new LinkedBlockingQueue<>();
        Semaphore mayEnd = new Semaphore(0);
        orderly.handle(queue, (number, _) -> {
            started.add(number);
            mayEnd.acquire();
        });
        orderly.start();
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ids.add(queue.push(i));
        }
        awaitTrue(() -> started.size() == 2);

        orderly.engines().jobs().change(queue.name(), two.withConcurrency(4).withMaxPayload(1));
        awaitTrue(() -> started.size() == 4);
        assertThatThrownBy(() -> queue.push(10)).isInstanceOf(PushRefusedException.class);

        orderly.engines().jobs().change(queue.name(), two.withConcurrency(1));
        mayEnd.release(3);
        awaitTrue(() -> ids.stream().filter(id -> view(id).state() == JobState.DONE).count() == 3);
        assertThat(orderly.jobs().options(queue.name()).orElseThrow().concurrency()).isOne();
        assertThat(started).hasSize(4);
        mayEnd.release(1);
        awaitTrue(() -> started.size() == 5);
        mayEnd.release(8);
        ids.forEach(id -> awaitState(id, JobState.DONE));
    }

    @Test
    void jobsOfAGroupRunOneAtATimeInPushOrderThroughFailuresWhileGroupsRunSideBySide() {
        FifoQueue<Integer> numbers = orderly.fifo("numbers.fifo", Integer.class,
                o -> o.withConcurrency(8));
        Map<String, List<Integer>> done = new ConcurrentHashMap<>();
        Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();
        AtomicInteger overlaps = new AtomicInteger();
        Random failing = new Random(5);
        orderly.handle(numbers, (number, job) -> {
            String group = job.groupId().orElseThrow();
            AtomicInteger here = inside.computeIfAbsent(group, _ -> new AtomicInteger());
            if (here.incrementAndGet() != 1) {
                overlaps.incrementAndGet();
            }
            try {
                if (job.failures() < 2 && failing.nextInt(10) == 0) {
                    throw new IllegalStateException("not this time");
                }
                done.computeIfAbsent(group, _ -> Collections.synchronizedList(new ArrayList<>())).add(number);
            } finally {
                here.decrementAndGet();
            }
        });
        orderly.start();
        List<Integer> all = IntStream.range(0, 2_000).boxed().toList();
        numbers.pushAll(all, n -> "g" + n % 20);
        await2000(done, all.size());
        assertThat(overlaps).hasValue(0);
        assertThat(done).hasSize(20).allSatisfy((group, list) -> assertThat(list).hasSize(100).isSorted());
    }

    private void await2000(Map<String, List<Integer>> done, int size) {
        awaitTrue(() -> {
            time.advance(Duration.ofSeconds(1));
            return done.values().stream().mapToInt(List::size).sum() == size;
        });
    }

    @Test
    void atMostTheConfiguredNumberOfHandlersRunsAtOnce() {
        StandardQueue<Integer> numbers = orderly.queue("numbers", Integer.class,
                o -> o.withConcurrency(3));
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        CountDownLatch threeInside = new CountDownLatch(3);
        orderly.handle(numbers, (_, _) -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            threeInside.countDown();
            threeInside.await();
            now.decrementAndGet();
            done.incrementAndGet();
        });
        orderly.start();
        numbers.pushAll(IntStream.range(0, 500).boxed().toList());
        awaitTrue(() -> done.get() == 500);
        assertThat(most).hasValue(3);
    }

    @Test
    void progressAndResultKeepTheirLastValue() throws InterruptedException {
        StandardQueue<String> reports = orderly.queue("reports", String.class);
        CountDownLatch mayEnd = new CountDownLatch(1);
        orderly.handle(reports, (_, job) -> {
            job.progress(1, 3, "reading");
            job.progress(2, 3, "counting");
            mayEnd.await();
            job.result(Map.of("rows", 7));
        });
        orderly.start();
        JobId id = reports.push("march");
        awaitTrue(() -> new JobProgress(2, 3, "counting").equals(view(id).progress()));
        mayEnd.countDown();
        awaitState(id, JobState.DONE);
        assertThat(view(id).result()).isEqualTo(Payload.json("{\"rows\":7}"));
    }

    @Test
    void aSnoozedJobRunsLaterWithoutAFailure() {
        StandardQueue<String> polls = orderly.queue("polls", String.class);
        BlockingQueue<Integer> failures = new LinkedBlockingQueue<>();
        orderly.handle(polls, (_, job) -> {
            failures.add(job.failures());
            if (job.attempt() < 3) {
                job.snooze(Duration.ofMinutes(10));
            }
        });
        orderly.start();
        JobId id = polls.push("is it ready?");
        awaitState(id, JobState.DELAYED);
        time.advance(Duration.ofMinutes(9));
        assertThat(view(id).attempt()).isEqualTo(1);
        time.advance(Duration.ofMinutes(2));
        awaitTrue(() -> view(id).attempt() == 2 && view(id).state() == JobState.DELAYED);
        time.advance(Duration.ofMinutes(11));
        awaitState(id, JobState.DONE);
        assertThat(failures).containsExactly(0, 0, 0);
    }

    @Test
    void aDiscardedJobIsNeitherDoneNorRetried() {
        StandardQueue<String> mails = orderly.queue("mails", String.class);
        orderly.handle(mails, (_, job) -> job.discard("unsubscribed"));
        orderly.start();
        JobId id = mails.push("news");
        awaitState(id, JobState.CANCELLED);
        assertThat(view(id).reason()).isEqualTo("unsubscribed");
    }

    @Test
    void aHandlerPushesToItsOwnQueueAndGroupForTheSameUser() {
        FifoQueue<Integer> steps = orderly.fifo("steps.fifo", Integer.class);
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        orderly.handle(steps, (step, job) -> {
            seen.add(step + " " + job.groupId().orElseThrow() + " " + job.userId().orElseThrow());
            assertThat(Job.current()).isSameAs(job);
            assertThat(Orderly.current()).isSameAs(orderly);
            if (step < 3) {
                job.again(step + 1);
            }
        });
        orderly.start();
        steps.group("ann").user(new UserId("u-1")).push(1);
        awaitTrue(() -> seen.size() == 3);
        assertThat(seen).containsExactly("1 ann u-1", "2 ann u-1", "3 ann u-1");
        assertThatThrownBy(Job::current).hasMessageContaining("inside a handler");
        assertThatThrownBy(Orderly::current).hasMessageContaining("inside a handler");
    }

    @Test
    void aDelayedJobDoesNotRunBeforeItsTime() {
        StandardQueue<String> mails = orderly.queue("mails", String.class);
        BlockingQueue<Instant> ran = new LinkedBlockingQueue<>();
        orderly.handle(mails, (_, _) -> ran.add(time.now()));
        orderly.start();
        Instant due = time.now().plus(Duration.ofHours(1));
        JobId later = mails.runAt(due).push("later");
        awaitState(mails.push("now"), JobState.DONE);
        assertThat(view(later).state()).isEqualTo(JobState.DELAYED);
        time.advance(Duration.ofMinutes(61));
        awaitState(later, JobState.DONE);
        assertThat(ran.stream().filter(at -> !at.isBefore(due))).hasSize(1);
    }

    @Test
    void aPausedQueueAcceptsPushesAndRunsThemWhenResumed() {
        StandardQueue<String> mails = orderly.queue("mails", String.class);
        orderly.handle(mails, (_, _) -> {});
        orderly.start();
        orderly.jobs().pause(mails.name(), true);
        JobId id = mails.push("hello");
        time.advance(Duration.ofSeconds(10));
        assertThat(view(id).state()).isEqualTo(JobState.WAITING);
        orderly.jobs().pause(mails.name(), false);
        awaitState(id, JobState.DONE);
    }

    @Test
    void nodesOfAStoreShareTheWorkAndEachJobIsDoneOnce() {
        Orderly other = node("node-b");
        Map<Integer, Integer> runs = new ConcurrentHashMap<>();
        Map<String, Integer> perNode = new ConcurrentHashMap<>();
        for (Orderly node : List.of(orderly, other)) {
            StandardQueue<Integer> numbers = node.queue("numbers", Integer.class,
                    o -> o.withConcurrency(4));
            String name = node == other ? "b" : "a";
            node.handle(numbers, (number, _) -> {
                runs.merge(number, 1, Integer::sum);
                perNode.merge(name, 1, Integer::sum);
            });
        }
        orderly.queue("numbers", Integer.class, o -> o.withConcurrency(4))
                .pushAll(IntStream.range(0, 2_000).boxed().toList());
        orderly.start();
        other.start();
        awaitTrue(() -> runs.size() == 2_000);
        assertThat(runs.values()).containsOnly(1);
        other.stop();
    }

    @Test
    void aViewShowsAJobThroughItsLife() {
        StandardQueue<String> mails = orderly.queue("mails", String.class);
        JobId id = mails.priority(Priority.HIGH).user(new UserId("u")).push("hello");
        JobView waiting = view(id);
        assertThat(waiting.state()).isEqualTo(JobState.WAITING);
        assertThat(waiting.payload()).isEqualTo(Payload.text("hello"));
        orderly.handle(mails, (_, _) -> {});
        orderly.start();
        awaitState(id, JobState.DONE);
        assertThat(view(id).payload()).isNull();
        assertThat(view(id).user()).isEqualTo(new UserId("u"));
        assertThat(view(id).endedAt()).isNotNull();
        assertThat(orderly.jobs().queues()).singleElement().satisfies(queue -> {
            assertThat(queue.view().done()).isEqualTo(1);
            assertThat(queue.handled()).isTrue();
        });
    }
}
