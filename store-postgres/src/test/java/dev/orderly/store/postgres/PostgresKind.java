package dev.orderly.store.postgres;

import dev.orderly.Store;
import dev.orderly.testkit.contract.copy.MovingStore;
import dev.orderly.time.Time;

/** PostgreSQL as the source and the target of copies in tests. */
public enum PostgresKind implements MovingStore.Kind {
    /** The processes of nodes are killed. */
    OF_JOBS {
        @Override
        public Store open(Time clock) {
            return Server.openEmpty(clock);
        }

        @Override
        public Store reopen(Store killed) {
            return Server.reopened(killed);
        }
    },
    /** The server is killed too, by its own clock: only so it loses the presence of visitors. */
    OF_ROOMS {
        @Override
        public Store open(Time clock) {
            return Server.openEmpty();
        }

        @Override
        public Store reopen(Store killed) {
            return Server.recovered(killed);
        }
    }
}
