package dev.orderly.testkit.contract;

import dev.orderly.Store;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import dev.orderly.testkit.MemoryStore;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The contract proves something only if it fails for stores that break it. */
class PlantedKeyValueBugsTest extends PlantedBugTrial<PlantedKeyValueBugsTest.Bug, KeyValueStoreContract> {
    enum Bug {
        NONE,
        IGNORES_THE_VERSION,
        REPLACES_WHAT_IS_ABSENT,
        KEEPS_ENDED_VALUES,
        COUNTS_VERSIONS_ANEW,
        FORGETS_AT_A_RESTART,
        ENDS_ALL_AT_ONCE
    }

    static Stream<Planted<Bug, KeyValueStoreContract>> bugs() {
        return Stream.of(
                new Planted<>(Bug.IGNORES_THE_VERSION,
                        KeyValueStoreContract::onlyTheValueThatTheCallerHasSeenIsReplaced),
                new Planted<>(Bug.IGNORES_THE_VERSION,
                        KeyValueStoreContract::ofAllCallersThatSawTheSameVersionOneReplacesIt),
                new Planted<>(Bug.REPLACES_WHAT_IS_ABSENT, KeyValueStoreContract::aKeyThatWasNeverStoredHasNoValue),
                new Planted<>(Bug.KEEPS_ENDED_VALUES, KeyValueStoreContract::aValueEndsAtItsMomentAndNoOther),
                new Planted<>(Bug.ENDS_ALL_AT_ONCE, KeyValueStoreContract::aValueEndsAtItsMomentAndNoOther),
                new Planted<>(Bug.COUNTS_VERSIONS_ANEW, KeyValueStoreContract::noVersionIsUsedTwice),
                new Planted<>(Bug.FORGETS_AT_A_RESTART,
                        KeyValueStoreContract::anAnsweredChangeSurvivesTheDeathOfTheProcess));
    }

    @Override
    Bug none() {
        return Bug.NONE;
    }

    @Override
    void run(Bug bug, Check<KeyValueStoreContract> check) throws Exception {
        KeyValueStoreContract contract = new KeyValueStoreContract() {
            @Override
            protected Store open() {
                return new BuggyKeyValues(new MemoryStore(), bug);
            }

            @Override
            protected Store reopen(Store killed) {
                return ((BuggyKeyValues) killed).crash();
            }
        };
        contract.begin();
        try {
            check.of(contract);
        } finally {
            contract.end();
        }
    }

    /** The keys and values of a memory store behind a decorator with a planted bug. */
    private static final class BuggyKeyValues extends BuggedStore implements KeyValueStore {
        private final Bug bug;

        BuggyKeyValues(MemoryStore store, Bug bug) {
            super(store, bug);
            this.bug = bug;
        }

        BuggyKeyValues crash() {
            MemoryStore crashed = store.crash();
            return new BuggyKeyValues(
                    bug == Bug.FORGETS_AT_A_RESTART || bug == Bug.COUNTS_VERSIONS_ANEW ? new MemoryStore() : crashed,
                    bug);
        }

        @Override
        public KeyValueStore keyValues() {
            return this;
        }

        @Override
        public Optional<StoredValue> read(String key, Instant now) {
            Instant at = switch (bug) {
                case KEEPS_ENDED_VALUES -> Instant.EPOCH;
                case ENDS_ALL_AT_ONCE -> now.plusMillis(1);
                default -> now;
            };
            return store.keyValues().read(key, at);
        }

        @Override
        public OptionalLong replace(String key, long seen, String text, Instant until, Instant now) {
            long present = read(key, now).map(StoredValue::version).orElse(ABSENT);
            boolean careless = present == ABSENT
                    ? bug == Bug.REPLACES_WHAT_IS_ABSENT
                    : bug == Bug.IGNORES_THE_VERSION;
            return store.keyValues().replace(key, careless ? present : seen, text, until, now);
        }
    }
}
