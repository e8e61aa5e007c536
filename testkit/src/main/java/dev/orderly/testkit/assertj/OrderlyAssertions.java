package dev.orderly.testkit.assertj;

import dev.orderly.testkit.harness.OrderlyHarness;

/**
 * Entry to assertions about what was pushed. A static import of {@code assertThat} goes together with that of AssertJ.
 *
 * {@snippet :
 * assertThat(harness).hasPushed(mails).withPayload(new Mail("ada@example.com", "Welcome")).once();
 * assertThat(harness).hasPushed(changes).inGroup("ada").withPayloads("first", "second");
 * }
 */
public final class OrderlyAssertions {
    private OrderlyAssertions() {}

    /** Assertions about the jobs that this harness has recorded so far; call {@link OrderlyHarness#drain} before. */
    public static OrderlyHarnessAssert assertThat(OrderlyHarness harness) {
        return new OrderlyHarnessAssert(harness);
    }
}
