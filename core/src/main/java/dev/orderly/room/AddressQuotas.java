package dev.orderly.room;

import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What each address has taken of a room at this gate, against {@link AddressLimits}. Thread-safe. */
final class AddressQuotas {
    private final @Nullable JoinLimiter joins;
    private final @Nullable UntakenPasses untaken;
    private final @Nullable PassAddresses perPass;

    AddressQuotas(AddressLimits limits, Time time) {
        this.joins = limits.joins() == null ? null : new JoinLimiter(limits.joins(), time);
        this.untaken = limits.untaken() == null ? null : new UntakenPasses(limits.untaken(), time);
        this.perPass = limits.perPass() == null ? null : new PassAddresses(limits.perPass());
    }

    /** Whether the address of a visitor who joins matters. */
    boolean boundJoins() {
        return joins != null || untaken != null;
    }

    /** Whether the address a pass is shown from matters. */
    boolean boundPasses() {
        return perPass != null;
    }

    /** Takes a place from what the address may have; otherwise the time until it may have another. */
    Optional<Duration> refuse(String address) {
        return joins == null ? Optional.empty() : joins.refuse(address);
    }

    /** The lifetime of a pass that is given before it is shown; empty if the address has as many as it may. */
    Optional<Duration> reserve(String address, VisitorId visitor) {
        return untaken == null ? Optional.of(Stay.UNTAKEN) : untaken.reserve(address, visitor, Stay.UNTAKEN);
    }

    /** The visitor has shown the pass, or was given none. */
    void release(VisitorId visitor) {
        if (untaken != null) {
            untaken.release(visitor);
        }
    }

    /** Whether the pass may be shown from this address. */
    boolean allow(Pass pass, Supplier<String> address) {
        return perPass == null || perPass.allow(pass, address.get());
    }

    void tidy(Instant now) {
        if (joins != null) {
            joins.tidy();
        }
        if (untaken != null) {
            untaken.tidy();
        }
        if (perPass != null) {
            perPass.tidy(now);
        }
    }
}
