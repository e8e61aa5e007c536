package dev.orderly.room.quota;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.VisitorId;
import dev.orderly.room.token.Pass;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The use of a room by each address at this gate, checked against {@link AddressLimits}. Thread-safe. */
public final class AddressQuotas {
    private final @Nullable JoinLimiter joins;
    private final @Nullable UnshownPasses untaken;
    private final @Nullable PassAddresses perPass;

    public AddressQuotas(AddressLimits limits, Time time) {
        this.joins = limits.joins() == null ? null : new JoinLimiter(limits.joins(), time);
        this.untaken = limits.untaken() == null ? null : new UnshownPasses(limits.untaken(), time);
        this.perPass = limits.perPass() == null ? null : new PassAddresses(limits.perPass());
    }

    /** Whether places or passes are bounded by the address of a joining visitor. */
    public boolean boundJoins() {
        return joins != null || untaken != null;
    }

    /** Whether the addresses of a pass are bounded. */
    public boolean boundPasses() {
        return perPass != null;
    }

    /** Counts a new place of the address. Empty if it is allowed; otherwise the time until the next is. */
    public Optional<Duration> refuse(String address) {
        return joins == null ? Optional.empty() : joins.refuse(address);
    }

    /**
     * Reserves a pass that is issued before it is shown. Returns its lifetime; empty if the address has as many as it
     * may.
     */
    public Optional<Duration> reserve(String address, VisitorId visitor) {
        return untaken == null
                ? Optional.of(TokenLifetimes.UNTAKEN)
                : untaken.reserve(address, visitor, TokenLifetimes.UNTAKEN);
    }

    /** Releases the reservation of a visitor who has shown the pass, or got none. */
    public void release(VisitorId visitor) {
        if (untaken != null) {
            untaken.release(visitor);
        }
    }

    /** Whether the pass may be shown from this address. */
    public boolean allow(Pass pass, Supplier<String> address) {
        return perPass == null || perPass.allow(pass, address.get());
    }

    public void tidy(Instant now) {
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
