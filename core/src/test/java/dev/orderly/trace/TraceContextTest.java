package dev.orderly.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers of W3C Trace Context, as its recommendation treats them. */
class TraceContextTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @Test
    void aValidParentIsTakenWithItsState() {
        TraceContext context = Objects.requireNonNull(TraceContext.of(List.of(PARENT), List.of("a=1", " b=2 ,,c=3")));
        assertThat(context).isEqualTo(new TraceContext(PARENT, "a=1,b=2,c=3"));
        assertThat(context.traceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(context.spanId()).isEqualTo("b7ad6b7169203331");
        assertThat(context.isSampled()).isTrue();
        assertThat(TraceContext.ofStored(context.stored())).isEqualTo(context);
        assertThat(TraceContext.ofStored(PARENT)).isEqualTo(new TraceContext(PARENT, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g",
            "0-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"})
    void aMalformedParentCountsAsNoneAndSoDoesItsState(String parent) {
        assertThat(TraceContext.of(List.of(parent), List.of("a=1"))).isNull();
    }

    @Test
    void twoParentsCountAsNone() {
        assertThat(TraceContext.of(List.of(PARENT, PARENT), List.of())).isNull();
        assertThat(TraceContext.of(List.of(), List.of("a=1"))).isNull();
    }

    @ParameterizedTest
    @CsvSource({"cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-comes",
            "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-09"})
    void ofALaterVersionTheKnownFieldsCount(String parent) {
        assertThat(TraceContext.of(List.of(parent), List.of())).isEqualTo(new TraceContext(PARENT, null));
    }

    @Test
    void aMalformedStateCountsAsNoneAndALongOneLosesItsLastEntries() {
        assertThat(TraceContext.of(List.of(PARENT), List.of("a=1,b"))).isEqualTo(new TraceContext(PARENT, null));
        assertThat(TraceContext.of(List.of(PARENT), List.of("a=\u00e4"))).isEqualTo(new TraceContext(PARENT, null));
        String entry = "k=" + "x".repeat(200);
        TraceContext cut = Objects.requireNonNull(
                TraceContext.of(List.of(PARENT), List.of(String.join(",", entry, entry, entry))));
        assertThat(cut.state()).isEqualTo(entry + "," + entry);
    }

    @Test
    void aContextThatNoHeaderMayHaveIsRefused() {
        assertThatThrownBy(() -> new TraceContext("00-x", null)).hasMessageContaining("traceparent");
        assertThatThrownBy(() -> new TraceContext(PARENT, "x".repeat(513))).hasMessageContaining("512");
    }
}
