package dev.orderly.testkit.contract;

import dev.orderly.Store;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistoryStore;
import dev.orderly.history.HistorySubject;
import dev.orderly.testkit.MemoryStore;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The contract proves something only if it fails for stores that break it. */
class PlantedHistoryBugsTest extends PlantedBugTrial<PlantedHistoryBugsTest.Bug, HistoryStoreContract> {
    enum Bug {
        NONE,
        COUNTS_A_REPEATED_MINUTE,
        KEEPS_ONE_SOURCE,
        LOSES_A_CONCURRENT_PART,
        FORGETS_THE_HOUR,
        INCLUDES_THE_END,
        PRUNES_HOURS_WITH_MINUTES,
        FORGETS_AT_A_RESTART,
        MIXES_KINDS
    }

    static Stream<Planted<Bug, HistoryStoreContract>> bugs() {
        return Stream.of(
                new Planted<>(Bug.COUNTS_A_REPEATED_MINUTE,
                        HistoryStoreContract::aRepeatedMinuteOfASourceChangesNothing),
                new Planted<>(Bug.KEEPS_ONE_SOURCE,
                        HistoryStoreContract::minutesOfSeveralSourcesAddUpAndOfPeaksTheLargestStays),
                new Planted<>(Bug.LOSES_A_CONCURRENT_PART,
                        HistoryStoreContract::sourcesThatWriteAtTheSameTimeLoseNothing),
                new Planted<>(Bug.FORGETS_THE_HOUR, HistoryStoreContract::aMinuteIsReadAsItWasAddedAndIsPartOfItsHour),
                new Planted<>(Bug.MIXES_KINDS, HistoryStoreContract::aMinuteIsReadAsItWasAddedAndIsPartOfItsHour),
                new Planted<>(Bug.INCLUDES_THE_END,
                        HistoryStoreContract::aRangeBeginsWithItsFirstMomentAndEndsBeforeItsLast),
                new Planted<>(Bug.PRUNES_HOURS_WITH_MINUTES,
                        HistoryStoreContract::whatIsOlderThanItsMomentIsPrunedAndNothingElse),
                new Planted<>(Bug.FORGETS_AT_A_RESTART,
                        HistoryStoreContract::anAnsweredChangeSurvivesTheDeathOfTheProcess));
    }

    @Override
    Bug none() {
        return Bug.NONE;
    }

    @Override
    void run(Bug bug, Check<HistoryStoreContract> check) throws Exception {
        HistoryStoreContract contract = new HistoryStoreContract() {
            @Override
            protected Store open() {
                return new BuggyHistory(new MemoryStore(), bug);
            }

            @Override
            protected Store reopen(Store killed) {
                return ((BuggyHistory) killed).crash();
            }
        };
        contract.begin();
        try {
            check.of(contract);
        } finally {
            contract.end();
        }
    }

    /** The history of a memory store behind a decorator with a planted bug. */
    private static final class BuggyHistory extends BuggedStore implements HistoryStore {
        private final Bug bug;
        private final AtomicInteger calls = new AtomicInteger();

        BuggyHistory(MemoryStore store, Bug bug) {
            super(store, bug);
            this.bug = bug;
        }

        BuggyHistory crash() {
            MemoryStore crashed = store.crash();
            return new BuggyHistory(bug == Bug.FORGETS_AT_A_RESTART ? new MemoryStore() : crashed, bug);
        }

        @Override
        public HistoryStore history() {
            return this;
        }

        @Override
        public void append(String source, List<HistoryPart> parts) {
            int call = calls.incrementAndGet();
            switch (bug) {
                case COUNTS_A_REPEATED_MINUTE -> store.history().append(source + call, parts);
                case KEEPS_ONE_SOURCE -> store.history().append("all", parts);
                case LOSES_A_CONCURRENT_PART -> {
                    if (call % 7 != 0) {
                        store.history().append(source, parts);
                    }
                }
                case MIXES_KINDS -> {
                    for (HistoryPart part : parts) {
                        store.history().append(source + part.subject().key(),
                                List.of(new HistoryPart(alike(part.subject()), part.at(), part.figures())));
                    }
                }
                default -> store.history().append(source, parts);
            }
        }

        private static HistorySubject alike(HistorySubject subject) {
            return new HistorySubject(HistorySubject.Kind.QUEUE, subject.name());
        }

        @Override
        public NavigableMap<Instant, HistoryFigures> read(HistorySubject subject, Scale scale, Instant from,
                Instant until) {
            return switch (bug) {
                case FORGETS_THE_HOUR ->
                    scale == Scale.HOUR ? new TreeMap<>() : store.history().read(subject, scale, from, until);
                case INCLUDES_THE_END -> store.history().read(subject, scale, from, until.plusMillis(1));
                case MIXES_KINDS -> store.history().read(alike(subject), scale, from, until);
                default -> store.history().read(subject, scale, from, until);
            };
        }

        @Override
        public int prune(Instant minutesBefore, Instant hoursBefore, int limit) {
            return store.history().prune(minutesBefore,
                    bug == Bug.PRUNES_HOURS_WITH_MINUTES ? minutesBefore.plusSeconds(3_600) : hoursBefore, limit);
        }
    }
}
