package dev.orderly.testkit.contract.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.ForwardingStore;
import dev.orderly.Store;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.store.copy.CopyResult;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.List;

/** A store whose data moves on by copies: to an empty store of the next kind, and from the last kind to the first. */
public final class MovingStore extends ForwardingStore {
    private final List<? extends Kind> kinds;
    private final int at;
    private final Time clock;

    /** A kind of store under test. */
    public interface Kind {
        /**
         * An empty store.
         *
         * @param clock the clock by which the store finds nodes dead, also after {@link #reopen}
         */
        Store open(Time clock);

        /** The store as the next process finds it after its process was killed. The argument is not used again. */
        Store reopen(Store killed);

        /** The port by which the store is copied. */
        default CopyPort copying(Store store) {
            return store.copying();
        }
    }

    private MovingStore(List<? extends Kind> kinds, int at, Time clock, Store store) {
        super(store);
        this.kinds = kinds;
        this.at = at;
        this.clock = clock;
    }

    /** An empty store of the first kind. */
    public static Store open(List<? extends Kind> kinds, Time clock) {
        return new MovingStore(kinds, 0, clock, kinds.getFirst().open(clock));
    }

    /** As {@link Kind#reopen}. */
    public static Store reopened(Store killed) {
        MovingStore moving = (MovingStore) killed;
        return new MovingStore(moving.kinds, moving.at, moving.clock, moving.kind().reopen(moving.inside()));
    }

    /**
     * Kills the process of the store, copies the data, and opens the copy in another process.
     *
     * @param now the moment of the copy
     */
    public static Store moved(Store store, Instant now) {
        MovingStore source = (MovingStore) reopened(store);
        int next = (source.at + 1) % source.kinds.size();
        MovingStore target = new MovingStore(source.kinds, next, source.clock,
                source.kinds.get(next).open(source.clock));
        CopyResult result = CopyTrial.run(new CopyTrial.SmallPages(source.copying()),
                new StoppedStore(target.copying()), now);
        assertThat(result).isInstanceOfSatisfying(CopyResult.Compared.class,
                compared -> assertThat(compared.kinds()).allMatch(CopyResult.Comparison::equal));
        source.close();
        return reopened(target);
    }

    @Override
    public CopyPort copying() {
        return kind().copying(inside());
    }

    private Kind kind() {
        return kinds.get(at);
    }
}
