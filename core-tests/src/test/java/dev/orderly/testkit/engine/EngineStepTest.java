package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Orderly;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.payload.UnreadablePayloadException;
import dev.orderly.job.transaction.LeaseLostException;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps of handlers: what is done stays done. */
class EngineStepTest extends EngineTest {
    private static final QueueOptions QUICK = QueueOptions.STANDARD
            .withRetry(new RetryPolicy(5, Duration.ofMillis(1), 1, Duration.ofMillis(1), 0));

    private final FaultyStore faulty = new FaultyStore(store);
    private final Orderly node = Orderly.open(faulty, options("steps"));
    private final StandardQueue<String> orders = node.queue("orders", String.class, _ -> QUICK);
    private final BlockingQueue<String> work = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() {
        faulty.heal();
        node.stop();
    }

    /** What a bank answers. */
    record Charge(String id, int cents) {}

    /** The same, in a later version. */
    record BookedCharge(String id, long cents, @Nullable String book) {}

    /** The same, in a version that cannot read it. */
    record OtherCharge(int id) {}

    /** A value that Jackson cannot write. */
    record Unwritable(Iterable<String> parts) {}

    private interface Body {
        void run(Job<String> job) throws Exception;
    }

    /** Runs a job until it is done; the attempts before the last of the bodies fail after theirs. */
    private JobId done(Body... attempts) {
        AtomicInteger calls = new AtomicInteger();
        node.handle(orders, (_, job) -> {
            int call = calls.getAndIncrement();
            attempts[call].run(job);
            if (call + 1 < attempts.length) {
                throw new IOException("attempt " + (call + 1) + " ends");
            }
        });
        node.start();
        JobId id = orders.push("order");
        awaitState(id, JobState.DONE);
        return id;
    }

    private Charge charge(Job<?> job) {
        return job.step("charge", Charge.class, () -> {
            work.add("charge");
            return new Charge("c-1", 995);
        });
    }

    @Test
    void aRetryGetsTheValueOfAStepThatIsDone() {
        BlockingQueue<Charge> seen = new LinkedBlockingQueue<>();
        JobId id = done(job -> seen.add(charge(job)), job -> {
            seen.add(charge(job));
            job.step("mail", () -> work.add("mail"));
        }, job -> {
            job.step("mail", () -> work.add("mail"));
            seen.add(charge(job));
        });
        assertThat(seen).containsOnly(new Charge("c-1", 995)).hasSize(3);
        assertThat(work).containsExactly("charge", "mail");
        assertThat(orderly.jobs().steps(id)).extracting(JobStep::name).containsExactly("charge", "mail");
        assertThat(orderly.jobs().steps(id)).extracting(JobStep::attempt).containsExactly(1, 2);
    }

    @Test
    void aRenamedStepRunsAgainAndAStepThatALaterVersionHasNotStaysKept() {
        JobId id = done(job -> job.step("charge", () -> work.add("charge")),
                job -> job.step("charge-card", () -> work.add("charge-card")));
        assertThat(work).containsExactly("charge", "charge-card");
        assertThat(orderly.jobs().steps(id)).extracting(JobStep::name).containsExactly("charge", "charge-card");
    }

    @Test
    void aHandlerSeesTheStepsOfEarlierAttempts() {
        BlockingQueue<List<String>> seen = new LinkedBlockingQueue<>();
        Body look = job -> {
            seen.add(job.steps().stream().map(JobStep::name).toList());
            job.step("step-" + job.attempt(), () -> work.add("once"));
        };
        done(look, look, look);
        assertThat(seen).containsExactly(List.of(), List.of("step-1"), List.of("step-1", "step-2"));
    }

    @Test
    void aStepMayReturnNothing() {
        JobId id = done(job -> assertThat(job.<@Nullable String, RuntimeException>step("look", String.class, () -> {
            work.add("looked");
            return null;
        })).isNull(), job -> assertThat(job.step("look", String.class, () -> "again")).isNull());
        assertThat(work).containsExactly("looked");
        assertThat(orderly.jobs().steps(id).getFirst().value()).isNull();
    }

    @Test
    void bytesAndTextStayAsTheyAre() {
        byte[] bytes = {0, -1, 7};
        done(job -> {
            job.step("bytes", byte[].class, () -> bytes);
            job.step("text", String.class, () -> "änderung ✉");
        }, job -> {
            assertThat(job.step("bytes", byte[].class, () -> new byte[0])).isEqualTo(bytes);
            assertThat(job.step("text", String.class, () -> "")).isEqualTo("änderung ✉");
        });
    }

    @Test
    void aValueIsReadByALaterVersionOfItsType() {
        done(this::charge, job -> assertThat(job.step("charge", BookedCharge.class, () -> {
            throw new AssertionError("The step is done");
        })).isEqualTo(new BookedCharge("c-1", 995, null)));
    }

    @Test
    void aValueThatCannotBeReadNamesTheStepAndTheRemedy() {
        done(this::charge, job -> assertThatThrownBy(() -> job.step("charge", OtherCharge.class, () -> {
            throw new AssertionError("The step is done");
        })).hasMessageContaining("step charge").hasMessageContaining("attempt 1")
                .hasMessageContaining("rename the step"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{\"id\": ", ""})
    void aValueThatIsNoneOfTheTypeFailsTheAttemptAndNamesTheStep(String json) {
        done(job -> job.step("charge", Payload.class, () -> Payload.json(json)),
                job -> assertThatThrownBy(() -> charge(job)).isInstanceOf(UnreadablePayloadException.class)
                        .hasMessageContaining("step charge").hasMessageContaining("rename the step"));
        assertThat(work).isEmpty();
    }

    @Test
    void workThatThrowsKeepsNothingAndMayBeTriedAgain() {
        JobId id = done(job -> {
            assertThatThrownBy(() -> job.step("charge", Charge.class, () -> {
                throw new IOException("The bank is away");
            })).isInstanceOf(IOException.class).hasMessage("The bank is away");
            assertThat(orderly.jobs().steps(job.id())).isEmpty();
            charge(job);
        });
        assertThat(orderly.jobs().steps(id)).hasSize(1);
    }

    @Test
    void aNameTwiceInOneAttemptIsAnError() {
        done(job -> {
            charge(job);
            assertThatThrownBy(() -> charge(job)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("step charge twice").hasMessageContaining("name of its own");
        }, job -> {
            charge(job);
            assertThatThrownBy(() -> charge(job)).as("also of a step that is done")
                    .isInstanceOf(IllegalStateException.class);
        });
        assertThat(work).containsExactly("charge");
    }

    @Test
    void aStepInsideAStepIsAnError() {
        JobId id = done(job -> assertThatThrownBy(() -> job.step("outer", () -> charge(job)))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("charge")
                .hasMessageContaining("inside step outer"));
        assertThat(work).isEmpty();
        assertThat(orderly.jobs().steps(id)).isEmpty();
    }

    @Test
    void stepsOfSeveralThreadsOfAHandlerAreKept() {
        JobId id = done(job -> {
            Map<String, CompletableFuture<Void>> begun = Map.of("left", new CompletableFuture<>(), "right",
                    new CompletableFuture<>());
            List<CompletableFuture<Void>> sides = begun.keySet().stream()
                    .map(name -> CompletableFuture.runAsync(() -> job.step(name, () -> {
                        Objects.requireNonNull(begun.get(name)).complete(null);
                        begun.values().forEach(CompletableFuture::join);
                        work.add(name);
                    }), task -> Thread.ofVirtual().start(task))).toList();
            sides.forEach(CompletableFuture::join);
        });
        assertThat(work).containsExactlyInAnyOrder("left", "right");
        assertThat(orderly.jobs().steps(id)).hasSize(2);
    }

    @Test
    void whatIsMalformedIsRefusedAndKeepsNothing() {
        JobId id = done(job -> {
            for (String name : List.of("", "a b", "-a", "x".repeat(65), "ä")) {
                assertThatThrownBy(() -> job.step(name, () -> work.add(name)))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("is not the name of a step")
                        .hasMessageContaining("1 to 64");
                assertThatThrownBy(() -> job.stepKey(name)).isInstanceOf(IllegalArgumentException.class);
            }
            assertThat(work).isEmpty();
            assertThatThrownBy(() -> job.step("large", byte[].class, () -> new byte[JobStep.VALUE_MAX + 1]))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("step large")
                    .hasMessageContaining("reference");
            assertThatThrownBy(() -> job.step("unwritable", Unwritable.class,
                    () -> new Unwritable(() -> {
                        throw new IllegalStateException("no parts");
                    })))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("step unwritable");
        });
        assertThat(orderly.jobs().steps(id)).isEmpty();
    }

    @Test
    void theStepsOfAJobHaveABound() {
        JobId id = done(job -> {
            for (int n = 0; n < 4; n++) {
                job.step("part-" + n, byte[].class, () -> new byte[JobStep.VALUE_MAX - 64]);
            }
            assertThatThrownBy(() -> job.step("part-4", byte[].class, () -> new byte[JobStep.VALUE_MAX]))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("part-4")
                    .hasMessageContaining("at most " + JobStep.STEPS_MAX + " steps");
        });
        assertThat(orderly.jobs().steps(id)).hasSize(4);
    }

    @Test
    void theKeyOfAStepIsTheSameInEachAttempt() {
        BlockingQueue<String> keys = new LinkedBlockingQueue<>();
        JobId id = done(job -> keys.add(job.stepKey("charge")), job -> keys.add(job.stepKey("charge")),
                job -> keys.add(job.stepKey("mail")));
        assertThat(keys).containsExactly(id + ":charge", id + ":charge", id + ":mail");
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aStepWaitsForTheStoreAndItsWorkRunsOnce(Fault fault) {
        JobId id = done(job -> {
            faulty.failNext(Call.KEEP_STEP, fault, 3);
            charge(job);
        }, job -> {
            faulty.failNext(Call.FIND, fault, 3);
            charge(job);
        });
        assertThat(work).containsExactly("charge");
        assertThat(orderly.jobs().steps(id)).extracting(JobStep::value)
                .containsExactly(Payload.json("{\"id\":\"c-1\",\"cents\":995}"));
    }

    @Test
    void aStepWhoseWorkWasInterruptedIsKept() {
        JobId id = done(job -> {
            job.step("charge", () -> Thread.currentThread().interrupt());
            assertThat(Thread.interrupted()).as("the handler learns of the interrupt").isTrue();
        });
        assertThat(orderly.jobs().steps(id)).hasSize(1);
    }

    @Test
    void aStepThatTheStoreNeverKeepsEndsWithTheAttempt() {
        StandardQueue<String> brief = node.queue("brief", String.class,
                _ -> QUICK.withTimeout(Duration.ofSeconds(20)));
        node.handle(brief, (_, job) -> {
            if (job.attempt() == 1) {
                faulty.failNext(Call.KEEP_STEP, Fault.BEFORE, 1_000);
            } else {
                faulty.heal();
            }
            charge(job);
        });
        node.start();
        JobId id = brief.push("order");
        awaitTrue(Duration.ofMillis(500), () -> view(id).state() == JobState.DONE);
        assertThat(work).containsExactly("charge", "charge");
        assertThat(view(id).failures()).isEqualTo(1);
    }

    @Test
    void aStaleAttemptKeepsNoStepAndIsToldSo() {
        AtomicReference<@Nullable Throwable> told = new AtomicReference<>();
        JobId id = done(job -> {
            declareAllDead();
            try {
                charge(job);
            } catch (LeaseLostException e) {
                told.set(e);
            }
        }, _ -> {});
        assertThat(told.get()).isNotNull().hasMessageContaining("not the newest").hasMessageContaining("step charge");
        assertThat(orderly.jobs().steps(id)).isEmpty();
    }

    @Test
    void aStepWithAConnectionNeedsPostgres() {
        done(job -> assertThatThrownBy(() -> job.step("book", _ -> work.add("book")))
                .isInstanceOf(UnsupportedOperationException.class).hasMessageContaining("orderly-store-postgres"));
        assertThat(work).isEmpty();
    }
}
