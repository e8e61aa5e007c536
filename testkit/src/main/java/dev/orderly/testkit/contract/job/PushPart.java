package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.PushResult;
import dev.orderly.job.store.ClaimedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The content and order of pushed jobs. */
public interface PushPart extends JobPart {
    @Test
    default void anAnsweredPushSurvivesTheDeathOfTheProcess() {
        JobId standard = trial().push(mail("a"));
        JobId fifo = trial().push(order("g", "b"));
        trial().crash();
        TestNode node = trial().node();
        assertThat(node.takeOne(MAIL).id()).isEqualTo(standard);
        assertThat(node.takeOne(ORDERS).id()).isEqualTo(fifo);
    }

    @Test
    default void eachJobOfABatchSurvivesTheDeathOfTheProcess() {
        trial().pushAll(IntStream.range(0, 500).mapToObj(n -> mail("m" + n)).toList());
        trial().crash();
        assertThat(trial().node().drain(MAIL))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 500).mapToObj(n -> "m" + n).toList());
    }

    @Test
    default void answersHaveTheOrderOfTheBatch() {
        JobId first = trial().push(mail("a").dedupe("x"));
        List<PushResult> answers = trial().pushAll(List.of(mail("b"), mail("c").dedupe("x"), mail("d")));
        assertThat(answers).hasSize(3);
        assertThat(answers.get(0)).isInstanceOf(PushResult.Accepted.class);
        assertThat(answers.get(1)).isEqualTo(new PushResult.Duplicate(first));
        assertThat(answers.get(2)).isInstanceOf(PushResult.Accepted.class);
        assertThat(trial().view(answers.get(2).id()).payload()).isEqualTo(Payload.text("d"));
    }

    @Test
    default void orderHoldsInsideOneBulkCall() {
        List<JobDraft> batch = new ArrayList<>();
        for (int n = 0; n < 200; n++) {
            batch.add(order(n % 3 == 0 ? "even" : "odd", "j" + n));
        }
        trial().pushAll(batch);
        List<String> expected = batch.stream().filter(draft -> "odd".equals(draft.job().group()))
                .map(draft -> draft.job().payload().asText()).toList();
        List<String> handedOut = trial().node().drain(ORDERS);
        assertThat(handedOut).hasSize(200);
        assertThat(handedOut.stream().filter(expected::contains).toList()).isEqualTo(expected);
    }

    @Test
    default void oneBatchMayGoToManyQueues() {
        List<JobId> ids = trial().push(mail("a"), order("g", "b"), mail("c"));
        assertThat(trial().node().drain(MAIL)).containsExactly("a", "c");
        assertThat(trial().node().drain(ORDERS)).containsExactly("b");
        assertThat(ids).doesNotHaveDuplicates();
    }

    @Test
    default void idsSortByPushOrderAndSequenceNumbersGrowWithin63Bits() {
        List<JobId> ids = new ArrayList<>();
        for (int n = 0; n < 50; n++) {
            ids.addAll(trial().push(mail("a" + n), order("g", "b" + n), order("h", "c" + n)));
            trial().pass(Duration.ofMillis(n % 3));
        }
        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(ids.stream().map(JobId::sequence).toList()).isSorted().doesNotHaveDuplicates()
                .allSatisfy(sequence -> assertThat(sequence).isPositive());
    }

    @Test
    default void numbersGrowAcrossTheDeathOfTheProcessAndWhenTheClockGoesBack() {
        JobId before = trial().push(mail("a"));
        trial().crash();
        JobId after = trial().jobs().push(List.of(mail("b").job()), trial().now().minusSeconds(3_600)).getFirst().id();
        assertThat(after).isGreaterThan(before);
        assertThat(after.sequence()).isGreaterThan(before.sequence());
    }

    @Test
    default void theSequenceNumberOfAClaimedJobEqualsThatOfItsId() {
        trial().push(order("g", "a"), order("g", "b"));
        assertThat(trial().node().take(ORDERS, 1)).hasSize(2)
                .allSatisfy(job -> assertThat(job.sequence()).isEqualTo(job.id().sequence()));
    }

    @Test
    default void theTimeOfAPushIsTheCallersTime() {
        JobId id = trial().push(mail("a"));
        assertThat(id.pushedAt()).isEqualTo(trial().now());
    }

    @Test
    default void bytesAreReturnedUnchanged() {
        byte[] every = new byte[256];
        for (int n = 0; n < 256; n++) {
            every[n] = (byte) n;
        }
        Payload binary = new Payload(Payload.BYTES, every);
        trial().push(mail("").payload(binary));
        trial().crash();
        assertThat(trial().node().takeOne(MAIL).payload()).isEqualTo(binary);
    }

    @Test
    default void contentTypesAreReturnedUnchanged() {
        List<String> types = List.of("application/json", "text/plain; charset=utf-8",
                "multipart/form-data; boundary=\"----a b\"", "application/x-www-form-urlencoded");
        types.forEach(type -> trial().push(mail("").payload(new Payload(type, new byte[]{1}))));
        trial().crash();
        assertThat(trial().node().take(MAIL, 10).stream().map(job -> job.payload().contentType()))
                .containsExactlyElementsOf(types);
    }

    @Test
    default void aPayloadOfOneMebibyteIsReturnedWhole() {
        byte[] big = new byte[1 << 20];
        new Random(7).nextBytes(big);
        JobId id = trial().push(order("g", "").payload(new Payload(Payload.BYTES, big)));
        trial().crash();
        assertThat(trial().node().takeOne(ORDERS).payload().bytes()).isEqualTo(big);
        assertThat(trial().view(id).payload()).isEqualTo(new Payload(Payload.BYTES, big));
    }

    @Test
    default void namesOfAnyScriptAreReturnedUnchanged() {
        Map<String, String> params = Map.of("größe", "XL & \"weit\"", "名前", "値\n二行", "emoji", "🎟️", "empty", "");
        JobId id = trial().push(order("группа 🎫 'x'; --", "a").from("usér\t名", params));
        trial().crash();
        ClaimedJob job = trial().node().takeOne(ORDERS);
        assertThat(job.params()).isEqualTo(params);
        assertThat(job.user()).isEqualTo("usér\t名");
        assertThat(job.group()).isEqualTo("группа 🎫 'x'; --");
        assertThat(trial().view(id).params()).isEqualTo(params);
    }

    @Test
    default void groupsThatDifferOnlyInCaseOrSpacesAreDifferentGroups() {
        trial().push(order("a", "1"), order("A", "2"), order("a ", "3"), order("", "4"));
        assertThat(TestNode.bodies(trial().node().take(ORDERS, 10))).containsExactlyInAnyOrder("1", "2", "3", "4");
    }
}
