package dev.orderly.room.quota;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.Rate;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.VisitorId;
import dev.orderly.room.token.Pass;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The use of a room by each address at this gate, checked against {@link AddressLimits}. Thread-safe. */
public final class AddressQuotas {
    /** Invitations that an address may show and that give it no place. */
    private static final Rate TRIES = new Rate(20, Duration.ofMinutes(1));

    private final Time time;
    private final JoinLimiter tries;
    private volatile AddressLimits limits;
    private volatile @Nullable JoinLimiter joins;
    private volatile @Nullable UnshownPasses untaken;
    private volatile @Nullable PassAddresses perPass;

    public AddressQuotas(AddressLimits limits, Time time) {
        this.time = time;
        this.tries = new JoinLimiter(TRIES, time);
        this.limits = limits;
        this.joins = limits.joins() == null ? null : new JoinLimiter(limits.joins(), time);
        this.untaken = limits.untaken() == null ? null : new UnshownPasses(limits.untaken(), time);
        this.perPass = limits.perPass() == null ? null : new PassAddresses(limits.perPass());
    }

    /** Replaces the limits. The count behind a limit that changes begins anew. Called by one thread at a time. */
    public void change(AddressLimits value) {
        AddressQuotas fresh = new AddressQuotas(value, time);
        if (!Objects.equals(limits.joins(), value.joins())) {
            joins = fresh.joins;
        }
        if (!Objects.equals(limits.untaken(), value.untaken())) {
            untaken = fresh.untaken;
        }
        if (!Objects.equals(limits.perPass(), value.perPass())) {
            perPass = fresh.perPass;
        }
        limits = value;
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
        JoinLimiter limiter = joins;
        return limiter == null ? Optional.empty() : limiter.refuse(address);
    }

    /** Uncounts a place that the address did not get. */
    public void giveBack(String address) {
        JoinLimiter limiter = joins;
        if (limiter != null) {
            limiter.giveBack(address);
        }
    }

    /** Whether the address may show an invitation: empty if it may, otherwise the time until it may again. */
    public Optional<Duration> refuseTry(String address) {
        return tries.used(address);
    }

    /** Counts an invitation that gave the address no place. */
    public void countTry(String address) {
        var _ = tries.refuse(address);
    }

    /**
     * Reserves a pass that is issued before it is shown. Returns its lifetime; empty if the address has as many as it
     * may.
     */
    public Optional<Duration> reserve(String address, VisitorId visitor) {
        UnshownPasses passes = untaken;
        return passes == null
                ? Optional.of(TokenLifetimes.UNTAKEN)
                : passes.reserve(address, visitor, TokenLifetimes.UNTAKEN);
    }

    /** Releases the reservation of a visitor who has shown the pass, or got none. */
    public void release(VisitorId visitor) {
        UnshownPasses passes = untaken;
        if (passes != null) {
            passes.release(visitor);
        }
    }

    /** Whether the pass may be shown from this address. */
    public boolean allow(Pass pass, Supplier<String> address) {
        PassAddresses passes = perPass;
        return passes == null || passes.allow(pass, address.get());
    }

    public void tidy(Instant now) {
        tries.tidy();
        JoinLimiter limiter = joins;
        if (limiter != null) {
            limiter.tidy();
        }
        UnshownPasses passes = untaken;
        if (passes != null) {
            passes.tidy();
        }
        PassAddresses addresses = perPass;
        if (addresses != null) {
            addresses.tidy(now);
        }
    }
}
