package dev.orderly.testkit.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Orderly;
import dev.orderly.access.Identity;
import dev.orderly.access.Identity.Kind;
import dev.orderly.access.Role;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.access.control.AuditLog;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.job.JobId;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.operate.Caller;
import dev.orderly.operate.JobControl;
import dev.orderly.operate.Operation;
import dev.orderly.operate.OperationRefusedException;
import dev.orderly.operate.OperationRefusedException.Reason;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.Operations;
import dev.orderly.operate.QueueControl;
import dev.orderly.operate.RoomControl;
import dev.orderly.operate.Targets;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What holds for every operation, whichever door it comes by. */
class OperationsTest {
    private static final RoomName SALE = new RoomName("sale");
    private static final Caller ANN = caller("ann", Role.OPERATOR);

    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore(time);
    private final Orderly orderly = Orderly.open(store, EngineOptions.defaults().withTime(time));
    private final RoomEngine rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))),
            new GateId("here"), time, new Random(1));
    private final AuditLog audit = new AccessControl(store.credentials(), store.audit(), time, AccessOptions.DEFAULT)
            .audit();
    private final Operations operations = new Operations(new Targets(orderly, rooms), audit);

    private static Caller caller(String name, Role role) {
        return new Caller(new Identity(Kind.TOKEN, name, role), "10.0.0.7", null);
    }

    @AfterEach
    void close() {
        rooms.close();
        orderly.close();
    }

    private List<AuditEntry> entries() {
        return audit.list(AuditQuery.newest(10));
    }

    private void refused(Reason reason, Caller caller, Operation<?> operation, @Nullable String seen, String... words) {
        assertThatThrownBy(() -> operations.run(caller, operation, seen))
                .isInstanceOfSatisfying(OperationRefusedException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason))
                .message().contains(words);
    }

    @Test
    void aRoleBelowTheLeastChangesNothingAndTheAttemptIsAnEntry() {
        for (OperationSpec spec : OperationSpec.values()) {
            AtomicBoolean made = new AtomicBoolean();
            refused(Reason.ROLE, caller("wim", Role.WORKER), Operation.of(spec, "thing", null, () -> {
                made.set(true);
                return made;
            }, _ -> null), null, spec.id(), spec.least().text(), "worker");
            assertThat(made).as(spec.id()).isFalse();
        }
        assertThat(entries()).isNotEmpty().allMatch(entry -> entry.outcome() == Outcome.REFUSED)
                .allMatch(entry -> entry.act().name().equals("wim"));
    }

    @Test
    void everyOperationHasAnIdAndAPlaceOfItsOwn() {
        assertThat(Stream.of(OperationSpec.values()).map(OperationSpec::id)).doesNotHaveDuplicates();
        assertThat(Stream.of(OperationSpec.values()).map(spec -> spec.method() + " " + spec.path()))
                .doesNotHaveDuplicates();
    }

    @Test
    void ofTwoChangesOfAnOpeningWithinASecondTheSecondIsAConflict() {
        ZonedDateTime opens = time.now().plus(Duration.ofHours(2)).atZone(ZoneOffset.UTC);
        Openings openings = new Openings(List.of(new Opening(opens, Duration.ZERO, null, null)), false);
        rooms.declare(SALE, RoomOptions.of(Limits.NONE).withOpenings(openings), RoomSignals.none());
        time.advance(Duration.ofMillis(1));
        operations.run(ANN, RoomControl.change(OperationSpec.OPEN_AT, "sale",
                room -> room.movedOpening(opens.plusMinutes(30), null)), null);
        store.rooms().change(SALE, rooms.find(SALE).orElseThrow().movedOpening(opens.plusHours(1), null), time.now());
        refused(Reason.OPENING_CHANGED, caller("bob", Role.OPERATOR),
                RoomControl.change(OperationSpec.CANCEL_OPENING, "sale",
                        Room::cancelledOpening),
                null, "Room sale", "changed meanwhile", "Nothing was done",
                Opening.text(opens.plusHours(1)));
        assertThat(entries()).extracting(AuditEntry::outcome).containsExactly(Outcome.FAILED, Outcome.DONE);
    }

    @Test
    void aChangeOfAStateThatTheCallerDidNotSeeIsRefusedWithTheLastChange() {
        orderly.queue("mails", String.class);
        operations.run(ANN, QueueControl.pause("mails", true), "running");
        time.advance(Duration.ofMinutes(3));
        refused(Reason.STALE, caller("bob", Role.OPERATOR), QueueControl.pause("mails", true), "running",
                "\"paused\"", "ann made the last change (pause) 3", "min ago");
        operations.run(ANN, QueueControl.pause("mails", false), "paused");
        assertThat(entries()).extracting(entry -> entry.act().operation() + " " + entry.act().object() + " "
                + entry.act().before() + " " + entry.after())
                .containsExactly("resume queue mails paused running", "pause queue mails running paused");
    }

    @Test
    void theRedriveOfOneJobIsAChangeOfTheJobAndThatOfSeveralOfTheQueue() {
        var mails = orderly.queue("mails", String.class);
        JobId one = mails.push("one");
        JobId two = mails.push("two");
        operations.run(ANN, QueueControl.redrive("mails", List.of(one), 10), null);
        operations.run(ANN, QueueControl.redrive("mails", List.of(one, two), 10), null);
        assertThat(entries()).extracting(entry -> entry.act().object() + ": " + entry.act().before())
                .containsExactly("queue mails: 2 named jobs, at most 10",
                        "job " + one + ": queue mails, state waiting");
        refused(Reason.STALE, ANN, JobControl.cancel(one.toString()), "dead", "last change (redrive)");
    }

    @Test
    void whatNamesNothingIsRefusedAndIsNoEntry() {
        refused(Reason.UNKNOWN_QUEUE, ANN, QueueControl.pause("nowhere", true), null, "nowhere", "does not exist");
        refused(Reason.UNKNOWN_QUEUE, ANN, QueueControl.pause("no name", true), null, "no name");
        refused(Reason.UNKNOWN_JOB, ANN, JobControl.cancel("x".repeat(200)), null, "x...", "does not exist");
        assertThat(entries()).isEmpty();
    }
}
