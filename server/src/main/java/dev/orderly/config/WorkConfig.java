package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.room.ProofOfWork;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The work or wait before a place for visitors of crowded networks, of a room of the file. */
final class WorkConfig {
    static final KeySpec.Key<Long> CROWDED_FROM = new KeySpec.Key<>("crowded-from",
            ValueTypes.count(1, 1_000_000, "20"),
            new Absent.Means(Integer.toString(ProofOfWork.DEFAULT.crowdedFrom())),
            "The places of a network (IPv4 /24, IPv6 /48) at this gate, in its present hour and the one before, from"
                    + " which on its visitors work or wait.");
    static final KeySpec.Key<Duration> WAIT = new KeySpec.Key<>("wait", ValueTypes.duration("1s", "10m", "30s"),
            new Absent.Means(UnitText.text(ProofOfWork.DEFAULT.delay())),
            "The wait of a visitor who does no work, such as one without script.");
    static final KeySpec.Key<Long> COST = new KeySpec.Key<>("cost",
            ValueTypes.count(ProofOfWork.COST_MIN, ProofOfWork.COST_MAX, "10000"),
            new Absent.Means(Integer.toString(ProofOfWork.DEFAULT.cost())),
            "Rounds of PBKDF2 in each of about 256 tries.");
    static final Group WORK = new Group("proof-of-work", List.of(CROWDED_FROM, WAIT, COST),
            "Visitors of a network that has taken many places get the next by work of their browser, or after a wait.",
            true);

    private WorkConfig() {}

    static @Nullable ProofOfWork read(CheckedSection room) {
        if (!room.has(WORK)) {
            return null;
        }
        CheckedSection at = room.below(WORK);
        ProofOfWork usual = ProofOfWork.DEFAULT;
        return new ProofOfWork(at.value(CROWDED_FROM).map(Math::toIntExact).orElse(usual.crowdedFrom()),
                at.value(WAIT).orElse(usual.delay()), at.value(COST).map(Math::toIntExact).orElse(usual.cost()));
    }

    /** Its part of the room's line in the log. */
    static String inForce(ProofOfWork work) {
        return "proof-of-work from " + work.crowdedFrom() + " wait " + UnitText.text(work.delay()) + " cost "
                + work.cost();
    }
}
