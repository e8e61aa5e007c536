package dev.orderly.store.postgres.interleaving;

import dev.orderly.store.postgres.interleaving.Step.Kind;
import java.util.List;

/** A call that others meet in each of its points, in the order of their nodes. */
@SuppressWarnings("ImmutableEnumChecker") // List.of
enum Meeting {
    PUSH_OF_A_MEMBER_AND_CLOSE(List.of(), step(0, Kind.PUSH_MEMBER),
            List.of(step(1, Kind.CLOSE), step(2, Kind.FINISH))),
    TWO_ROUNDS(List.of(step(0, Kind.CLOSE)), step(0, Kind.FINISH), List.of(step(1, Kind.FINISH))),
    PUSH_OF_A_RUNNING_MEMBER_AND_ITS_END(
            List.of(step(0, Kind.PUSH_MEMBER), step(0, Kind.CLAIM_ROWS), step(1, Kind.CLOSE)),
            step(0, Kind.PUSH_CHILD), List.of(step(1, Kind.DONE_BESIDE), step(2, Kind.FINISH))),
    STEP_AND_END_OF_AN_ATTEMPT(List.of(step(0, Kind.PUSH_ROW)), step(0, Kind.KEEP_STEP),
            List.of(step(1, Kind.EVICT), step(2, Kind.CLAIM_ROWS))),
    WAIT_AND_EVENT(List.of(step(0, Kind.PUSH_ROW)), new Step(0, 0, Kind.AWAIT, 1), List.of(step(1, Kind.EVENT)));

    /** Of the first batch, and of a job of {@link Step#ROWS} as its member. */
    private static final int PICK = 10;

    /** Calls before it. */
    final List<Step> before;
    final Step call;
    /** The calls that meet it, of other nodes. */
    final List<Step> others;

    Meeting(List<Step> before, Step call, List<Step> others) {
        this.before = before;
        this.call = call;
        this.others = others;
    }

    private static Step step(int node, Kind kind) {
        return new Step(0, node, kind, PICK);
    }
}
