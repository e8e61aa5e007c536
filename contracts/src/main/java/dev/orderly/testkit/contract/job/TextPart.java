package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.input.SampleTexts.ALIKE;
import static dev.orderly.testkit.contract.input.SampleTexts.longest;
import static dev.orderly.testkit.contract.input.SampleTexts.start;
import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import dev.orderly.testkit.contract.input.SampleTexts;
import dev.orderly.text.StoredText;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Allowed text, and the trace of a push, is returned unchanged; text differs from all other text. */
public interface TextPart extends JobPart {
    /** Long enough that a few texts hold every character. */
    int LENGTH = 4_000;
    int GROUP_MAX = 256;

    @Test
    default void similarGroupsAreDifferent() {
        trial().pushAll(Stream.concat(ALIKE.stream().map(group -> order(group, "1" + group)),
                ALIKE.stream().map(group -> order(group, "2" + group))).toList());
        TestNode node = trial().node();
        Map<String, List<String>> bodies = new HashMap<>();
        for (List<ClaimedJob> jobs = node.take(ORDERS, 100); !jobs.isEmpty(); jobs = node.take(ORDERS, 100)) {
            jobs.forEach(job -> bodies.computeIfAbsent(String.valueOf(job.group()), _ -> new ArrayList<>())
                    .add(job.payload().asText()));
            node.done(jobs);
        }
        assertThat(bodies).hasSameSizeAs(ALIKE);
        ALIKE.forEach(group -> assertThat(bodies.get(group)).containsExactly("1" + group, "2" + group));
    }

    @Test
    default void aGroupDelaysNoSimilarGroup() {
        trial().pushAll(ALIKE.stream().map(group -> order(group, group)).toList());
        TestNode node = trial().node();
        List<ClaimedJob> heads = node.take(ORDERS, 100);
        trial().pushAll(ALIKE.stream().map(group -> order(group, group)).toList());
        ClaimedJob first = heads.getFirst();
        heads.stream().skip(1).forEach(job -> node.retry(job, Duration.ofHours(1)));
        node.done(first);
        assertThat(node.take(ORDERS, 100)).singleElement().extracting(ClaimedJob::group).isEqualTo(first.group());
    }

    @Test
    default void theTraceOfAPushComesWithEveryClaim() {
        TraceContext mail = new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=1,b=~ {}|");
        TraceContext order = new TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", null);
        TestNode node = trial().node();
        trial().pushAll(List.of(mail("1").traced(mail), mail("2")));
        trial().pushAll(List.of(mail("3")));
        trial().pushAll(List.of(order("g", "4").dedupe("4").traced(order), order("h", "5")));
        assertThat(node.take(MAIL, 10)).extracting(ClaimedJob::trace).containsExactly(mail, null, null);
        assertThat(node.take(ORDERS, 10)).extracting(ClaimedJob::trace).containsExactlyInAnyOrder(order, null);
    }

    @Test
    default void aRetriedOrRedrivenJobKeepsItsTrace() {
        TraceContext trace = new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "v=" + "x".repeat(510));
        TestNode node = trial().node();
        trial().pushAll(List.of(mail("1").traced(trace)));
        node.retry(node.takeOne(MAIL), Duration.ZERO);
        ClaimedJob again = node.takeOne(MAIL);
        assertThat(again.trace()).isEqualTo(trace);
        node.dead(again, false);
        assertThat(trial().redriveAll(MAIL)).isEqualTo(1);
        assertThat(node.takeOne(MAIL).trace()).isEqualTo(trace);
    }

    @Test
    default void similarDedupeIdsAreDifferent() {
        List<JobDraft> drafts = ALIKE.stream().map(id -> mail(id).dedupe(id)).toList();
        List<PushResult> first = trial().pushAll(drafts);
        assertThat(first).hasOnlyElementsOfType(PushResult.Accepted.class);
        assertThat(trial().pushAll(drafts))
                .isEqualTo(first.stream().map(result -> new PushResult.Duplicate(result.id())).toList());
    }

    @Test
    default void nodesWithSimilarNamesAreDifferent() {
        TestNode one = new TestNode(trial(), new NodeId("\u00e9"));
        TestNode other = new TestNode(trial(), new NodeId("e\u0301"));
        one.beat();
        other.beat();
        trial().push(mail("a"));
        ClaimedJob job = one.takeOne(MAIL);
        assertThat(other.done(job)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(one.done(job)).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void queuesThatDifferInCaseAreDifferentAndListedInCodePointOrder() {
        List<QueueName> names = Stream
                .of("mail", "MAIL", "Mail", "mail_", "mail-a", "mail.a", "mailA", "mail1", "z", "Z")
                .map(QueueName::new).toList();
        trial().pushAll(names.stream().map(name -> JobDraft.to(name, null, name.value())).toList());
        trial().eventually(() -> assertThat(trial().views().queues().stream().map(QueueView::queue))
                .containsExactlyElementsOf(names.stream().sorted().toList()));
        for (QueueName name : names) {
            assertThat(trial().node().drain(name)).containsExactly(name.value());
        }
    }

    @Test
    default void everyTextOfAJobIsReturnedUnchanged() {
        List<JobDraft> drafts = SampleTexts.all(LENGTH).stream()
                .map(text -> mail(text).payload(saying(text)).from(user(text), Map.of(start(text, 200), text)))
                .toList();
        List<JobId> ids = trial().pushAll(drafts).stream().map(PushResult::id).toList();
        trial().eventually(() -> {
            List<JobView> listed = listed(JobState.WAITING).toList();
            assertThat(listed).hasSameSizeAs(drafts);
            for (int n = 0; n < drafts.size(); n++) {
                isReturned(drafts.get(n), listed.get(n));
                isReturned(drafts.get(n), trial().view(ids.get(n)));
            }
        });
        trial().crash();
        Map<JobId, ClaimedJob> claimed = new HashMap<>();
        trial().node().take(MAIL, 1_000).forEach(job -> claimed.put(job.id(), job));
        for (int n = 0; n < drafts.size(); n++) {
            ClaimedJob job = Objects.requireNonNull(claimed.get(ids.get(n)));
            assertThat(job.payload()).isEqualTo(drafts.get(n).job().payload());
            assertThat(job.params()).isEqualTo(drafts.get(n).job().params());
            assertThat(job.user()).isEqualTo(drafts.get(n).job().user());
        }
    }

    /** The beginning of a text without the characters that a user id must not have; null if none is left. */
    private static @Nullable UserId user(String text) {
        String allowed = text.codePoints().filter(c -> !Character.isISOControl(c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
        return allowed.isEmpty() ? null : new UserId(start(allowed, UserId.MAX));
    }

    private static void isReturned(JobDraft draft, JobView view) {
        assertThat(view.user()).isEqualTo(draft.job().user());
        assertThat(view.params()).isEqualTo(draft.job().params());
        assertThat(view.payload()).isEqualTo(draft.job().payload());
    }

    @Test
    default void theLongestTextsAreReturnedAndTheirLastCharacterCounts() {
        List<JobDraft> drafts = Stream.of('\u2aaa', '\u2aab').map(last -> order(longest(GROUP_MAX, last), "a")
                .from(new UserId(longest(UserId.MAX, last)), Map.of(longest(192, last), longest(8_000, last)))
                .payload(new Payload(longest(200, last), longest(LENGTH, last).getBytes(StandardCharsets.UTF_8))))
                .toList();
        trial().pushAll(drafts);
        List<ClaimedJob> jobs = trial().node().take(ORDERS, 2);
        assertThat(jobs.stream().map(ClaimedJob::group))
                .containsExactlyInAnyOrderElementsOf(drafts.stream().map(draft -> draft.job().group()).toList());
        trial().eventually(() -> {
            List<JobView> listed = trial().views().list(ORDERS, JobState.RUNNING, null, 10);
            assertThat(listed).hasSize(2);
            for (int n = 0; n < 2; n++) {
                isReturned(drafts.get(n), listed.get(n));
                assertThat(listed.get(n).group()).isEqualTo(drafts.get(n).job().group());
            }
        });
    }

    @Test
    default void textsOfAnAttemptAreReturnedUnchanged() {
        List<String> texts = new ArrayList<>(SampleTexts.all(LENGTH));
        texts.add(longest(JobFailure.DETAIL_MAX, 'x'));
        end(texts);
        areKept(texts);
        trial().crash();
        areKept(texts);
    }

    @Test
    default void invalidTextKeepsNoAttemptFromEnding() {
        List<String> broken = List.of("It broke\0", "\ud83c", "\udfab\ud83c", "a\0b\udfab".repeat(3_000));
        end(broken);
        areKept(broken.stream().map(StoredText::repaired).toList());
    }

    private static Payload saying(String text) {
        return new Payload("text/plain; name=" + start(text, 100), text.getBytes(StandardCharsets.UTF_8));
    }

    private static JobProgress progress(String text) {
        return new JobProgress(1, 2, start(text, JobProgress.TEXT_MAX));
    }

    private static JobFailure failure(String text) {
        return new JobFailure(text, text);
    }

    private static AttemptOutcome.Done done(String text) {
        return new AttemptOutcome.Done(saying(StoredText.repaired(text)));
    }

    /** Each text is the progress of four jobs, then part of their outcomes: done, retried, dead and cancelled. */
    private void end(List<String> texts) {
        TestNode node = trial().node();
        List<AttemptOutcome> outcomes = texts.stream().flatMap(this::outcomes).toList();
        trial().pushAll(Stream.generate(() -> mail("a")).limit(outcomes.size()).toList());
        List<ClaimedJob> jobs = node.take(MAIL, outcomes.size());
        assertThat(jobs).hasSameSizeAs(outcomes);
        List<ProgressReport> reports = new ArrayList<>();
        List<Settlement> settlements = new ArrayList<>();
        for (int n = 0; n < jobs.size(); n++) {
            AttemptId attempt = jobs.get(n).attempt();
            reports.add(new ProgressReport(node.id(), attempt, progress(texts.get(n / 4))));
            settlements.add(new Settlement(node.id(), attempt, outcomes.get(n)));
        }
        assertThat(trial().jobs().progress(reports, trial().now())).containsOnly(SettleResult.ACCEPTED);
        trial().eventually(() -> assertThat(listed(JobState.RUNNING).map(JobView::progress))
                .containsExactlyInAnyOrderElementsOf(reports.stream().map(ProgressReport::progress).toList()));
        assertThat(trial().jobs().settle(settlements, trial().now())).containsOnly(SettleResult.ACCEPTED);
    }

    private Stream<AttemptOutcome> outcomes(String text) {
        return Stream.of(done(text), new AttemptOutcome.Retry(trial().in(Duration.ofHours(1)), failure(text)),
                new AttemptOutcome.Dead(failure(text), false), new AttemptOutcome.Cancelled(text));
    }

    private void areKept(List<String> texts) {
        trial().eventually(() -> {
            assertThat(listed(JobState.DONE).map(JobView::result)).containsExactlyInAnyOrderElementsOf(
                    texts.stream().map(text -> done(text).result()).toList());
            assertThat(listed(JobState.DELAYED).map(JobView::failure)).containsExactlyInAnyOrderElementsOf(
                    texts.stream().map(TextPart::failure).toList());
            assertThat(listed(JobState.DEAD).map(JobView::failure)).containsExactlyInAnyOrderElementsOf(
                    texts.stream().map(TextPart::failure).toList());
            assertThat(listed(JobState.CANCELLED).map(JobView::reason)).containsExactlyInAnyOrderElementsOf(
                    texts.stream().map(text -> failure(text).summary()).toList());
        });
    }

    private Stream<JobView> listed(JobState state) {
        return trial().views().list(MAIL, state, null, 1_000).stream();
    }
}
