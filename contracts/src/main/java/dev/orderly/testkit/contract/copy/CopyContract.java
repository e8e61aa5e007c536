package dev.orderly.testkit.contract.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.VisitorStore;
import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyResult;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The promises of a copy of one store into another of its kind; a store of visitors only keeps those of visitors. */
public abstract class CopyContract {
    /** How many writes further each copy of a test comes before it is killed. */
    private static final int KILL_EACH = 7;

    /** The database, file or server of one store, which goes when it is closed. */
    protected interface Place extends AutoCloseable {
        /** The store: empty at the first call, later as the next process finds it. */
        VisitorStore open();

        /** Writes what a store has after events that no call of its ports brings about. */
        default void age() {}

        /** All that is kept, by column or key, but for what a copy changes or leaves out. */
        Map<String, List<String>> content(Instant now);

        @Override
        void close();
    }

    /** A place without a store. */
    protected abstract Place place();

    private static Instant now(VisitorStore store) {
        return store.clock(Time.system()).now();
    }

    @Test
    void aCopyAnswersAsItsSourceDoes() {
        for (long seed = 1; seed <= 2; seed++) {
            try (Place from = place(); Place to = place()) {
                VisitorStore source = from.open();
                CopyState state = new CopyState(seed, now(source));
                state.fill(source);
                state.cancelSome(source);
                CopyTrial.copied(source.copying(), to.open().copying(), state.now());
                new CopyViews(state).compare(from.open(), to.open());
            }
        }
    }

    @Test
    void everyValueIsCopiedOrNamedAsLeftOut() {
        try (Place from = place(); Place to = place()) {
            VisitorStore source = from.open();
            CopyState state = new CopyState(3, now(source));
            state.fill(source);
            from.age();
            CopyTrial.copied(from.open().copying(), to.open().copying(), state.now());
            CopyColumns.compare(from.content(state.now()), to.content(state.now()));
        }
    }

    @Test
    void aCopyThatWasKilledGoesOnWhereItWas() {
        try (Place from = place(); Place to = place()) {
            VisitorStore source = from.open();
            CopyState state = new CopyState(9, now(source));
            state.fill(source);
            int kills = 0;
            while (!isCopied(source, to.open(), 1 + kills * KILL_EACH, state.now())) {
                kills++;
            }
            assertThat(kills).isPositive();
            VisitorStore copy = to.open();
            assertThat(copy.copying().mark()).isEmpty();
            new CopyViews(state).compare(from.open(), copy);
        }
    }

    private static boolean isCopied(VisitorStore source, VisitorStore target, int kill, Instant now) {
        try {
            CopyTrial.run(new CopyTrial.SmallPages(source.copying()),
                    new CopyTrial.Dying(target.copying(), kill, kill % 2 == 0), now);
            return true;
        } catch (CopyTrial.Killed _) {
            return false;
        }
    }

    @Test
    void aTargetThatLosesARecordDiffers() {
        try (Place from = place()) {
            VisitorStore source = from.open();
            CopyState state = new CopyState(5, now(source));
            state.fill(source);
            for (CopyKind kind : source.copying().kinds()) {
                if (kind == CopyKind.QUEUES || kind == CopyKind.ROOMS) {
                    continue; // without them nothing else can be written
                }
                try (Place to = place()) {
                    VisitorStore target = to.open();
                    CopyResult result = CopyTrial.run(new StoppedStore(source.copying()),
                            new CopyTrial.Forgetful(target.copying(), kind), state.now());
                    assertThat(result).isInstanceOfSatisfying(CopyResult.Compared.class,
                            compared -> assertThat(compared.kinds().stream().filter(each -> !each.equal())
                                    .map(CopyResult.Comparison::kind)).as("%s", kind).contains(kind));
                    assertThat(target.copying().mark()).isPresent();
                }
            }
        }
    }

    @Test
    void aTargetThatIsNotEmptyIsRefused() {
        try (Place from = place(); Place to = place()) {
            VisitorStore source = from.open();
            VisitorStore target = to.open();
            CopyState state = new CopyState(1, now(source));
            state.fill(source);
            new CopyState(1, state.now()).fill(target);
            assertThat(CopyTrial.run(new StoppedStore(source.copying()), new StoppedStore(target.copying()),
                    state.now())).isInstanceOfSatisfying(CopyResult.Refused.class,
                            refused -> assertThat(refused.reason()).startsWith("The target is not empty, it has ")
                                    .endsWith(": name a new database, schema or file, which no server has used"));
        }
    }
}
