package dev.orderly.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.Tiers.Tier;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TiersTest {
    private static Tier tier(String name, int share) {
        return new Tier(name, "tier=gold", share);
    }

    private static Tiers of(Tier... all) {
        return new Tiers(List.of(all));
    }

    @Test
    void visitorsWithoutATierHaveTheRest() {
        assertThat(of(tier("members", 20), tier("press", 5)).rest()).isEqualTo(75);
        assertThat(Tiers.NONE.rest()).isEqualTo(100);
    }

    @Test
    void theFirstTierWhoseClaimFitsCounts() {
        Tiers tiers = of(tier("members", 20), new Tier("press", "role=a=b", 5));
        assertThat(tiers.first(_ -> true)).contains("members");
        assertThat(tiers.first(tier -> tier.claimName().equals("role") && tier.claimValue().equals("a=b")))
                .contains("press");
        assertThat(tiers.first(_ -> false)).isEmpty();
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        assertThatThrownBy(() -> of(tier("a", 50), tier("b", 50))).hasMessageContaining("100 % together");
        assertThatThrownBy(() -> of(tier("a", 1), tier("a", 2))).hasMessageContaining("the name a");
        assertThatThrownBy(() -> new Tiers(IntStream.range(0, 9).mapToObj(n -> tier("t" + n, 1)).toList()))
                .hasMessageContaining("at most 8");
        assertThatThrownBy(() -> tier("a", 0)).hasMessageContaining("use 1 to 99 %");
        assertThatThrownBy(() -> tier("Members", 1)).hasMessageContaining("lower-case");
        assertThatThrownBy(() -> new Tier("a", "gold", 1)).hasMessageContaining("name=value");
    }

    @Test
    void aPlaceTellsItsLineAndItsNumber() {
        assertThat(Tiers.line(458)).isZero();
        assertThat(Tiers.number(458)).isEqualTo(458);
        assertThat(Tiers.line(Tiers.start(3) + 458)).isEqualTo(3);
        assertThat(Tiers.number(Tiers.start(3) + 458)).isEqualTo(458);
        assertThat(Tiers.start(61)).as("exact in every JSON reader and in Lua").isLessThan(1L << 53);
    }

    @Test
    void aTierIsByAClaimByInvitationsOrByBothAndNotByNeither() {
        Tiers tiers = of(tier("members", 20), Tier.invited("press", 5), new Tier("partners", "role=partner", 5, true));
        assertThat(tiers.invited()).containsExactly("press", "partners");
        assertThat(tiers.haveClaims()).isTrue();
        assertThat(of(Tier.invited("press", 5)).haveClaims()).isFalse();
        assertThatThrownBy(() -> new Tier("a", null, 1, false)).hasMessageContaining("Nobody belongs to tier a");
    }
}
