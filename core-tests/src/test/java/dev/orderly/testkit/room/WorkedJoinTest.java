package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.ProofOfWork;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.crowd.Verdict;
import dev.orderly.room.gate.Reply;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomRefusals.Cause;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.work.WorkSolution;
import dev.orderly.testkit.sim.WorkSolver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Visitors of crowded networks, who work or wait before a place. */
class WorkedJoinTest extends RoomTest {
    private static final ProofOfWork WORK = new ProofOfWork(2, Duration.ofSeconds(30), 1_000);
    private static final String CROWDED = "192.0.2.";
    private static final String WRONG = "00".repeat(32);

    /** Tasks of the gate, while they are held. */
    private final List<Runnable> tasks = new ArrayList<>();
    private boolean held;
    private final Gate gate = crowded(room(0).withProofOfWork(WORK));

    /** A visitor, with a solution and with a check that says something. */
    private record Sender(String address, @Nullable WorkSolution work, @Nullable Verdict verdict) implements Newcomer {
        @Override
        public @Nullable CompletionStage<Verdict> check(LongSupplier places) {
            return verdict == null ? null : CompletableFuture.completedStage(verdict);
        }
    }

    /** A gate at which the crowded network has taken two places. */
    private Gate crowded(RoomOptions options) {
        RoomEngine engine = new RoomEngine(rooms, tokens, new GateId("work"), time, new Random(5)).withCommitsOn(
                task -> {
                    if (held) {
                        tasks.add(task);
                    } else {
                        task.run();
                    }
                }, () -> {});
        Gate made = new Gate(engine, engine.declare(NAME, options, RoomSignals.none()));
        engine.step();
        for (int n = 1; n <= 2; n++) {
            waiting(made.arrive(ShownTokens.NONE, CROWDED + n));
        }
        return made;
    }

    private static Reply<Visit> arrives(Gate at, ShownTokens shown, String address, @Nullable String payload,
            @Nullable Verdict verdict) {
        return at.room().visits().arrive(shown, new Sender(address, payload == null
                ? null
                : WorkSolution.read(payload).orElseThrow(), verdict), true);
    }

    private Visit sends(String address, @Nullable String payload) {
        return answer(arrives(gate, ShownTokens.NONE, address, payload, null));
    }

    private static Visit.Slowed slowed(Visit visit) {
        assertThat(visit).isInstanceOf(Visit.Slowed.class);
        return (Visit.Slowed) visit;
    }

    private Visit.Slowed asked(String address) {
        return slowed(sends(address, null));
    }

    private static String challenge(Visit.Slowed visit) {
        return Objects.requireNonNull(visit.challenge());
    }

    private static ShownTokens proof(Visit.Slowed visit) {
        return new ShownTokens(List.of(Objects.requireNonNull(visit.token())), List.of());
    }

    private long length() {
        pass(1, gate);
        return gate.room().state().line().length();
    }

    @Test
    void onlyVisitorsOfACrowdedNetworkAreAskedForWork() {
        waiting(sends("198.51.100.1", null));
        Visit.Slowed asked = asked(CROWDED + "3");
        assertThat(asked.retryAfter()).isEqualTo(WORK.delay());
        assertThat(challenge(asked)).contains("PBKDF2/SHA-256", "\"cost\":1000");
        assertThat(gate.room().visits().refusals().total(Cause.PROOF_OF_WORK).count()).isEqualTo(1);
        assertThat(gate.room().visits().refusals().total(Cause.CHECK_SLOWED).count()).isZero();
        assertThat(length()).isEqualTo(3);
    }

    @Test
    void workGivesThePlaceAtOnceAndTheWaitThatItEndsGivesTheSameOne() {
        Visit.Slowed asked = asked(CROWDED + "3");
        String payload = WorkSolver.solve(challenge(asked));
        Visit.Waiting first = waiting(sends(CROWDED + "3", payload));
        Visit.Waiting again = waiting(sends(CROWDED + "3", payload));
        pass(30, gate);
        Visit.Waiting waited = waiting(answer(arrives(gate, proof(asked), CROWDED + "3", null, null)));
        assertThat(List.of(again, waited)).allSatisfy(visit -> assertThat(visit.position().ticket().visitor())
                .isEqualTo(first.position().ticket().visitor()));
        assertThat(waited.token()).as("the ticket, for a browser that lost the answer").isNotNull();
        assertThat(length()).isEqualTo(3);
    }

    @Test
    void whoDoesNoWorkGetsThePlaceAfterTheWaitAndReadsTheChallengeAgainMeanwhile() {
        Visit.Slowed asked = asked(CROWDED + "3");
        pass(10, gate);
        Visit.Slowed early = slowed(answer(arrives(gate, proof(asked), CROWDED + "3", null, null)));
        assertThat(early.challenge()).isEqualTo(asked.challenge());
        assertThat(early.token()).isNull();
        pass(20, gate);
        waiting(answer(arrives(gate, proof(asked), CROWDED + "3", null, null)));
        assertThat(sends(CROWDED + "3", WorkSolver.solve(challenge(asked)))).as("the work of a wait that is over")
                .isInstanceOf(Visit.Waiting.class);
        assertThat(length()).isEqualTo(3);
    }

    @Test
    void aSolutionCountsForItsNetworkItsLineAndItsTimeOnly() {
        String challenge = challenge(asked(CROWDED + "3"));
        String payload = WorkSolver.solve(challenge);
        for (int n = 1; n <= 2; n++) {
            waiting(sends("198.51.100." + n, null));
        }
        slowed(sends("198.51.100.3", payload));
        slowed(sends(CROWDED + "3", WorkSolver.solve(challenge.replace("\"cost\":1000", "\"cost\":1"))));
        slowed(sends(CROWDED + "3", WorkSolver.payload(challenge.replaceAll("\"nonce\":\"..", "\"nonce\":\"00"), 0,
                WRONG)));
        Gate other = gate("other", room(0).withProofOfWork(WORK.withCrowdedFrom(1).withCost(2_000)),
                RoomSignals.none());
        waiting(other.arrive(ShownTokens.NONE, CROWDED + "3"));
        slowed(answer(arrives(other, ShownTokens.NONE, CROWDED + "3", payload, null)));
        pass(630, gate);
        slowed(sends(CROWDED + "3", payload));
        String late = WorkSolver.solve(challenge(asked(CROWDED + "3")));
        gate.engine().change(NAME, new RoomChange.NewEpoch());
        pass(1, gate);
        slowed(sends(CROWDED + "3", late));
        assertThat(length()).isZero();
    }

    @Test
    void aWrongSolutionSpendsItsWaitSoThatTheQuotaOfTheAddressBoundsWhatIsVerified() {
        Gate bounded = crowded(room(0).withProofOfWork(WORK).withAddresses(new AddressLimits(
                new Rate(2, Duration.ofHours(1)), null, null)));
        String challenge = challenge(slowed(answer(arrives(bounded, ShownTokens.NONE, CROWDED + "3", null, null))));
        String wrong = WorkSolver.payload(challenge, 0, WRONG);
        Visit.Slowed second = slowed(answer(arrives(bounded, ShownTokens.NONE, CROWDED + "3", wrong, null)));
        assertThat(challenge(second)).isNotEqualTo(challenge);
        for (String payload : List.of(wrong, WorkSolver.solve(challenge), WorkSolver.payload(challenge(second), 0,
                WRONG))) {
            assertThat(answer(arrives(bounded, ShownTokens.NONE, CROWDED + "3", payload, null)))
                    .isInstanceOf(Visit.TooMany.class);
        }
        waiting(answer(arrives(bounded, ShownTokens.NONE, CROWDED + "4",
                WorkSolver.solve(challenge(slowed(answer(arrives(bounded, ShownTokens.NONE, CROWDED + "4", null,
                        null))))),
                null)));
    }

    @Test
    void ofManySolutionsAtOnceSixtyFourWaitAndTheOthersAreGoodAgain() {
        List<String> challenges = IntStream.rangeClosed(3, 67).mapToObj(n -> challenge(asked(CROWDED + n))).toList();
        List<String> payloads = challenges.stream().map(each -> WorkSolver.payload(each, 0, WRONG)).toList();
        held = true;
        List<Reply<Visit>> replies = payloads.stream()
                .map(payload -> arrives(gate, ShownTokens.NONE, CROWDED + "3", payload, null)).toList();
        assertThat(replies.subList(0, 64)).noneMatch(reply -> reply.stage().toCompletableFuture().isDone());
        Visit.Slowed busy = slowed(answer(replies.getLast()));
        assertThat(busy.retryAfter()).isEqualTo(Duration.ofSeconds(2));
        assertThat(challenge(busy)).as("its own, which it has solved").isEqualTo(challenges.getLast());
        assertThat(gate.room().visits().refusals().total(Cause.STORE).count()).isZero();
        held = false;
        tasks.forEach(Runnable::run);
        assertThat(replies.subList(0, 64)).allSatisfy(reply -> slowed(answer(reply)));
        assertThat(slowed(sends(CROWDED + "3", payloads.getLast())).token()).as("it is verified now").isNotNull();
    }

    @Test
    void aRoomThatChangesWhileWorkIsVerifiedAnswersAsItIsThen() {
        String payload = WorkSolver.solve(challenge(asked(CROWDED + "3")));
        for (RoomMode mode : List.of(RoomMode.REJECT, RoomMode.OPEN, RoomMode.AUTO)) {
            held = true;
            Reply<Visit> reply = arrives(gate, ShownTokens.NONE, CROWDED + "3", payload, null);
            held = false;
            gate.engine().change(NAME, new RoomChange.Mode(mode));
            gate.engine().step();
            tasks.removeLast().run();
            assertThat(answer(reply)).as("%s", mode).isInstanceOf(mode == RoomMode.REJECT
                    ? Visit.TurnedAway.class
                    : mode == RoomMode.OPEN ? Visit.Ungated.class : Visit.Waiting.class);
            gate.engine().change(NAME, new RoomChange.Mode(RoomMode.AUTO));
            gate.engine().step();
        }
        assertThat(length()).isEqualTo(3);
    }

    @Test
    void whomACheckAllowsWorksNotAndWhoseWaitACheckGaveEndsByNoWork() {
        waiting(answer(arrives(gate, ShownTokens.NONE, CROWDED + "3", null, new Verdict.Allow())));
        assertThat(slowed(answer(arrives(gate, ShownTokens.NONE, CROWDED + "4", null,
                new Verdict.Slow(Duration.ofSeconds(60))))).challenge()).isNull();
        assertThat(slowed(answer(arrives(gate, ShownTokens.NONE, CROWDED + "5", null, new Verdict.Failed(true))))
                .challenge()).isNotNull();
    }

    @Test
    void theRuleChangesWhileVisitorsWaitForTheirPlaces() {
        Visit.Slowed asked = asked(CROWDED + "3");
        String payload = WorkSolver.solve(challenge(asked));
        gate.room().change(room(0));
        waiting(sends(CROWDED + "4", null));
        assertThat(slowed(answer(arrives(gate, proof(asked), CROWDED + "3", null, null))).challenge()).isNull();
        gate.room().change(room(0).withProofOfWork(WORK));
        waiting(sends(CROWDED + "3", payload));
    }

    @Test
    void settingsOutOfTheirBoundsAreRefusedByName() {
        assertThatThrownBy(() -> WORK.withCrowdedFrom(0)).hasMessage("crowded-from is 0: use 1 or more");
        assertThatThrownBy(() -> WORK.withDelay(Duration.ofMillis(999))).hasMessageContaining("use 1 s to 10 min");
        assertThatThrownBy(() -> WORK.withDelay(Duration.ofMinutes(11))).hasMessageContaining("use 1 s to 10 min");
        assertThatThrownBy(() -> WORK.withCost(999)).hasMessageContaining("use 1000 to 50000");
        assertThatThrownBy(() -> WORK.withCost(50_001)).hasMessageContaining("use 1000 to 50000");
    }

    @Test
    void thePlaceOfWorkThatWasGivenBackIsNotGivenAgain() {
        Visit.Slowed asked = asked(CROWDED + "3");
        String payload = WorkSolver.solve(challenge(asked));
        String ticket = Objects.requireNonNull(waiting(sends(CROWDED + "3", payload)).token());
        gate.room().visits().leave(new ShownTokens(List.of(ticket), List.of())).toCompletableFuture().join();
        assertThat(challenge(slowed(sends(CROWDED + "3", payload)))).isNotEqualTo(challenge(asked));
        pass(30, gate);
        slowed(answer(arrives(gate, proof(asked), CROWDED + "3", null, null)));
        assertThat(length()).isEqualTo(3);
    }

    @Test
    void aCheckIsAskedAboutWorkThatWasKeptUntilTheNetworkIsCrowdedForItToo() {
        List<String> kept = IntStream.rangeClosed(3, 7)
                .mapToObj(n -> WorkSolver.solve(challenge(asked(CROWDED + n)))).toList();
        List<Verdict> verdicts = List.of(new Verdict.Refuse(), new Verdict.Slow(Duration.ofSeconds(60)),
                new Verdict.Failed(false), new Verdict.Failed(true), new Verdict.Allow());
        List<Visit> visits = IntStream.range(0, 5).mapToObj(n -> answer(arrives(gate, ShownTokens.NONE,
                CROWDED + (n + 3), kept.get(n), verdicts.get(n)))).toList();
        assertThat(visits).hasExactlyElementsOfTypes(Visit.Refused.class, Visit.Slowed.class, Visit.Unchecked.class,
                Visit.Waiting.class, Visit.Waiting.class);
        assertThat(slowed(visits.get(1)).challenge()).isNull();
        assertThat(slowed(sends(CROWDED + "3", kept.get(0))).token()).as("spent by the refusal").isNotNull();
        waiting(sends(CROWDED + "5", kept.get(2)));
        assertThat(length()).isEqualTo(5);
        Visit.Slowed waited = asked(CROWDED + "8");
        pass(30, gate);
        assertThat(answer(arrives(gate, proof(waited), CROWDED + "8", null, new Verdict.Refuse())))
                .isInstanceOf(Visit.Refused.class);
    }

    @Test
    void aFailureWhileThePlaceIsTakenLeavesTheWorkGood() {
        String payload = WorkSolver.solve(challenge(asked(CROWDED + "3")));
        Sender sender = new Sender(CROWDED + "3", WorkSolution.read(payload).orElseThrow(), null);
        Newcomer failing = new Newcomer() {
            @Override
            public String address() {
                return sender.address();
            }

            @Override
            public @Nullable WorkSolution work() {
                return sender.work();
            }

            @Override
            public CompletionStage<Verdict> check(LongSupplier places) {
                throw new IllegalStateException("a broken check");
            }
        };
        assertThatThrownBy(() -> answer(gate.room().visits().arrive(ShownTokens.NONE, failing, true)))
                .hasStackTraceContaining("a broken check");
        Reply<Visit> again = arrives(gate, ShownTokens.NONE, CROWDED + "3", payload, null);
        assertThat(again.stage().toCompletableFuture()).isDone();
        waiting(answer(again));
    }
}
