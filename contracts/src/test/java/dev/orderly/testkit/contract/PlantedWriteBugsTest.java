package dev.orderly.testkit.contract;

import dev.orderly.Store;
import java.time.Duration;
import java.util.stream.Stream;

/** The contract proves something only if it fails for stores that break it. */
class PlantedWriteBugsTest extends PlantedBugTrial<WriteBug, WritableContract> {
    private static Planted<WriteBug, WritableContract> planted(WriteBug bug, Check<WritableContract> check) {
        return new Planted<>(bug, check);
    }

    static Stream<Planted<WriteBug, WritableContract>> bugs() {
        return Stream.of(planted(WriteBug.ONLY_READS, WritableContract::everyCheckOfAnUnwritableStoreFails),
                planted(WriteBug.REMEMBERS_A_SUCCESS, WritableContract::everyCheckOfAnUnwritableStoreFails),
                planted(WriteBug.REMEMBERS_A_FAILURE, WritableContract::aCheckSucceedsSoonAfterWritesSucceedAgain),
                planted(WriteBug.LEAVES_A_MARK,
                        WritableContract::aCheckOfAWritableStoreSucceedsAndLeavesNoTrace),
                planted(WriteBug.FORGETS_THAT_IT_IS_CLOSED, WritableContract::aCheckOfAClosedStoreFails));
    }

    @Override
    WriteBug none() {
        return WriteBug.NONE;
    }

    @Override
    void run(WriteBug bug, Check<WritableContract> check) throws Exception {
        WritableContract contract = new WritableContract() {
            @Override
            protected Store open() {
                return new BuggyWrites(bug);
            }

            @Override
            protected void refuseWrites(Store store) {
                ((BuggyWrites) store).refuse(true);
            }

            @Override
            protected void allowWrites(Store store) {
                ((BuggyWrites) store).refuse(false);
            }

            @Override
            protected Duration patience() {
                return Duration.ofMillis(200);
            }
        };
        contract.begin();
        try {
            check.of(contract);
        } finally {
            contract.end();
        }
    }
}
