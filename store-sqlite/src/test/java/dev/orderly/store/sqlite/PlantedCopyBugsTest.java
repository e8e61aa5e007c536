package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.job.Priority;
import dev.orderly.store.copy.CopiedRecord;
import dev.orderly.store.copy.CopiedRecord.Job;
import dev.orderly.store.copy.CopiedRecord.Room;
import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.testkit.contract.copy.MovingStore;
import dev.orderly.testkit.contract.copy.StoppedStore;
import dev.orderly.testkit.contract.job.RandomPart;
import dev.orderly.testkit.contract.room.RoomRandomPart;
import dev.orderly.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Copies with bugs that no checksum can show, since source and copy are read with the same bug: only the model, which
 * goes on with the copy, finds them.
 */
class PlantedCopyBugsTest {
    private static final int SEEDS = 6;
    /** Each view of a bug is repeated for this long. */
    private static final Duration SHORT = Duration.ofMillis(300);

    @TempDir
    private Path folder = Path.of("");

    /** A bug of reading; a record becomes null if it is left out. */
    enum Bug {
        LOSES_ATTEMPTS(each -> each instanceof Job job ? firstAttempt(job) : each),
        LOSES_PRIORITIES(each -> each instanceof Job job ? normal(job) : each),
        LOSES_DELAYS(each -> each instanceof Job job && job.state() == Job.State.OPEN ? at(job, null) : each),
        LETS_HALTED_GROUPS_GO_ON(
                each -> each instanceof Job job && job.state() == Job.State.HALTING ? dead(job) : each),
        LOSES_DEDUPE_KEYS(without(CopyKind.DEDUPE_KEYS)),
        LOSES_THE_CURSOR(each -> each instanceof Room room
                ? with(room, new Room.Line(room.line().length(), 0, room.line().crowded()))
                : each),
        LOSES_USED_UP_TICKETS(without(CopyKind.USED_PLACES)),
        LOSES_PASSES(without(CopyKind.PASSES)),
        LOSES_REVOCATIONS(without(CopyKind.REVOCATIONS)),
        LOSES_ADMISSIONS(without(CopyKind.ADMISSIONS));

        @SuppressWarnings("ImmutableEnumChecker") // functions without a state
        private final Reading reading;

        Bug(Reading reading) {
            this.reading = reading;
        }

        boolean isOfRooms() {
            return compareTo(LOSES_THE_CURSOR) >= 0;
        }
    }

    /** What a store with a bug reads instead of a record. */
    @FunctionalInterface
    interface Reading {
        @Nullable
        CopiedRecord of(CopiedRecord each);
    }

    private static Reading without(CopyKind kind) {
        return each -> each.kind() == kind ? null : each;
    }

    private static Job firstAttempt(Job job) {
        CopiedRecord.Course course = job.course();
        return new Job(job.pushed(), new CopiedRecord.Course(0, course.failures(), course.progress(), course.failure(),
                course.history()), job.state(), job.crashes(), job.loneCrashes(), job.at(), job.error(), job.payload(),
                job.unique());
    }

    private static Job at(Job job, @Nullable Instant at) {
        return new Job(job.pushed(), job.course(), job.state(), job.crashes(), job.loneCrashes(), at, job.error(),
                job.payload(), job.unique());
    }

    private static Job dead(Job job) {
        return new Job(job.pushed(), job.course(), Job.State.DEAD, job.crashes(), job.loneCrashes(), job.at(),
                job.error(),
                job.payload(), job.unique());
    }

    private static Job normal(Job job) {
        CopiedRecord.Pushed pushed = job.pushed();
        return new Job(new CopiedRecord.Pushed(pushed.id(), pushed.queue(), pushed.group(), Priority.NORMAL,
                pushed.user(), pushed.params(), pushed.origin(), pushed.trace(), pushed.terms()), job.course(),
                job.state(),
                job.crashes(), job.loneCrashes(), job.at(), job.error(), job.payload(), job.unique());
    }

    private static Room with(Room room, Room.Line line) {
        return new Room(room.name(), room.epoch(), line, room.granted(), room.mode(), room.message(), room.override(),
                room.openings(), room.draws(), room.tiers());
    }

    @ParameterizedTest
    @EnumSource
    void theModelFindsABugThatNoChecksumShows(Bug bug) {
        List<MovingStore.Kind> kinds = List.of(new BuggyKind(new SqliteKind(folder), bug));
        assertThat((bug.isOfRooms() ? RoomRandomPart.overCopies(kinds) : RandomPart.overCopies(kinds, SHORT))
                .failure(SEEDS))
                .isInstanceOf(AssertionError.class).message().doesNotContain("Comparison[");
    }

    @Test
    void theModelAgreesWithACopyWithoutABug() {
        List<MovingStore.Kind> kinds = List.of(new SqliteKind(folder));
        RandomPart.overCopies(kinds, Duration.ofSeconds(5)).hold(1);
        RoomRandomPart.overCopies(kinds).hold(1);
    }

    private record BuggyKind(SqliteKind kind, Bug bug) implements MovingStore.Kind {
        @Override
        public Store open(Time clock) {
            return kind.open(clock);
        }

        @Override
        public Store reopen(Store killed) {
            return kind.reopen(killed);
        }

        @Override
        public CopyPort copying(Store store) {
            return new StoppedStore(store.copying()) {
                @Override
                public Page read(CopyKind of, String after, int limit, Instant moment) {
                    Page page = super.read(of, after, limit, moment);
                    return new Page(page.records().stream().map(bug.reading::of).filter(Objects::nonNull).toList(),
                            page.next());
                }
            };
        }
    }
}
