package dev.orderly.testkit.api;

import dev.orderly.Store;
import dev.orderly.VisitorStore;
import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.StandardQueue;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.assertj.OrderlyAssertions;
import dev.orderly.testkit.assertj.OrderlyHarnessAssert;
import dev.orderly.testkit.contract.api.PublicApiContract;
import dev.orderly.testkit.harness.OrderlyHarness;
import dev.orderly.testkit.harness.PushRecorder;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/** The public API of the testkit. */
class TestkitApiTest extends PublicApiContract {
    private final OrderlyHarness harness = OrderlyHarness.open();

    TestkitApiTest() {
        super(MemoryStore.class, 25);
        StandardQueue<String> mails = harness.orderly().queue("mails", String.class);
        JobId pushed = mails.push("a");
        OrderlyHarnessAssert asserted = OrderlyAssertions.assertThat(harness);
        samples().with(harness, harness.orderly(), harness.time(), new PushRecorder(new MemoryStore()), asserted,
                asserted.hasPushed(mails), new Random(1), pushed).with(JobQueue.class, mails)
                .with(VisitorStore.class, new MemoryStore()).with(Store.class, new MemoryStore());
        except("as in AssertJ, what it answers refuses null", "dev.orderly.testkit.assertj.OrderlyAssertions");
    }

    @AfterEach
    void close() {
        harness.close();
    }
}
