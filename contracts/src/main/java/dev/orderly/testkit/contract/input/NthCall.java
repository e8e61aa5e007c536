package dev.orderly.testkit.contract.input;

import dev.orderly.store.StoreException;
import dev.orderly.testkit.resilience.InterceptedStore;
import java.util.function.Supplier;

/** The fault of one call of a store, counted from {@link #begin}. */
public final class NthCall {
    private static final int REPETITIONS_MAX = 100;

    private final int number;
    private final Fault fault;
    private boolean begun;
    private int calls;
    private int failures;
    private String failed = "not reached";

    /** Kinds of faults. */
    public enum Fault {
        /** Nothing is done. */
        BEFORE,
        /** The work is done, and the answer is lost. */
        AFTER
    }

    /** @param number of the call that fails, from 1; 0 for none */
    public NthCall(int number, Fault fault) {
        this.number = number;
        this.fault = fault;
    }

    /** No fault but those of the store itself, such as a failing disk. */
    public static NthCall ofStore() {
        return new NthCall(0, Fault.BEFORE);
    }

    /** Whether only the store itself fails. */
    public boolean isOfStore() {
        return number == 0;
    }

    /** Lets the calls of a store fail. */
    public void in(InterceptedStore store) {
        store.before(() -> {
            if (begun && ++calls == number && fault == Fault.BEFORE) {
                throw new StoreException.Unavailable("Planned before call " + number, null);
            }
        });
        store.after(() -> {
            if (begun && calls == number && fault == Fault.AFTER) {
                throw new StoreException.OutcomeUnknown("Planned after call " + number, null);
            }
        });
    }

    /** Calls count from now on. */
    public void begin() {
        begun = true;
    }

    /** Repeats a call until it is answered; a store that answers none is a failure. */
    public <T> T sure(Supplier<T> call) {
        int before = failures;
        while (true) {
            try {
                return call.get();
            } catch (StoreException.Unavailable | StoreException.OutcomeUnknown e) {
                noted(e);
                if (failures - before == REPETITIONS_MAX) {
                    throw new AssertionError("The store did not answer again", e);
                }
            }
        }
    }

    /** Notes the failure that its caller has seen. */
    public void noted(StoreException why) {
        failures++;
        failed = String.valueOf(why.getMessage());
    }

    /** The number of calls so far. */
    public int calls() {
        return calls;
    }

    /** The number of failures so far that a caller has seen. */
    public int failures() {
        return failures;
    }

    @Override
    public String toString() {
        return "call " + number + " of " + calls + ", " + fault + ": " + failed;
    }
}
