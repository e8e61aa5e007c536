package dev.orderly.room.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.RoomName;
import dev.orderly.room.invitation.Invitation;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.IssuedSeries;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Codes of invitations. */
class InvitationCodesTest {
    private static final RoomName SALE = new RoomName("sale");
    private static final List<String> TIERS = List.of("members", "press");

    private final RoomTokens tokens = tokens(1);

    private static RoomTokens tokens(int... secrets) {
        return new RoomTokens(TokenKeys.of(Arrays.stream(secrets).mapToObj(secret -> {
            byte[] bytes = new byte[TokenKeys.SECRET_MIN];
            Arrays.fill(bytes, (byte) secret);
            return bytes;
        }).toList()));
    }

    private static Invitation invitation(@Nullable String user) {
        return new Invitation(new InvitationId(0xfedc_ba98_7654L, InvitationId.MOST), "press", 3_000_000_000L,
                Instant.parse("2100-01-01T00:00:00Z"), user);
    }

    @Test
    void aCodeIsShortAndReadsAsItsInvitation() {
        String open = tokens.sign(SALE, invitation(null));
        assertThat(open).matches("[A-Za-z0-9_-]{38}");
        assertThat(tokens.invitation(open, SALE, TIERS)).contains(invitation(null));
        String bound = tokens.sign(SALE, invitation(tokens.invited(SALE, "ann")));
        assertThat(bound).matches("[A-Za-z0-9_-]{48}");
        assertThat(tokens.invitation(bound, SALE, TIERS)).contains(invitation(tokens.invited(SALE, "ann")));
    }

    @Test
    void aCodeOfAnotherRoomOfNoTierOrOfAnotherKeyIsNone() {
        String code = tokens.sign(SALE, invitation(null));
        assertThat(tokens.invitation(code, new RoomName("other"), TIERS)).isEmpty();
        assertThat(tokens.invitation(code, SALE, List.of("members"))).isEmpty();
        assertThat(tokens.invitation(code, SALE, List.of())).isEmpty();
        assertThat(tokens(2).invitation(code, SALE, TIERS)).isEmpty();
    }

    @Test
    void noCodeBeginsLikeAFormulaOfASpreadsheetAndThoseThatDoStayGood() {
        for (long bits = 0; bits < 64; bits++) {
            InvitationId id = new InvitationId(InvitationId.series(bits << 58 | 0x123_4567_89ab_cdefL), 1);
            String code = tokens.sign(SALE, new Invitation(id, "press", 1, Instant.EPOCH.plusSeconds(9), null));
            assertThat(code).doesNotStartWith("-");
            assertThat(id.series() >>> 42).as("as random as before").isEqualTo(bits == 62 ? 63 : bits);
        }
        Invitation dashed = new Invitation(new InvitationId(62L << 42, 1), "press", 1, Instant.EPOCH.plusSeconds(9),
                null);
        assertThat(tokens.sign(SALE, dashed)).startsWith("-");
        assertThat(tokens.invitation(tokens.sign(SALE, dashed), SALE, TIERS)).contains(dashed);
    }

    @Test
    void aSeriesIsReadFromWhatTheAuditLogSaysOfIt() {
        IssuedSeries series = new IssuedSeries("4f0c96b1d2a7", 500, "press", Instant.parse("2026-11-28T10:00:00Z"));
        assertThat(IssuedSeries.parse(series.toString())).contains(series);
        for (String other : List.of("", "revoked", series + " and more",
                "5 invitations to tier press until soon, series 4f0c96b1d2a7")) {
            assertThat(IssuedSeries.parse(other)).as(other).isEmpty();
        }
    }

    @Test
    void everyChangedCharacterMakesACodeNone() {
        String code = tokens.sign(SALE, invitation(tokens.invited(SALE, "ann")));
        for (int at = 0; at < code.length(); at++) {
            for (String other : List.of("A", "B", "-", "=", "é", "")) {
                String changed = code.substring(0, at) + other + code.substring(at + 1);
                if (!changed.equals(code)) {
                    assertThat(tokens.invitation(changed, SALE, TIERS)).as(changed).isEmpty();
                }
            }
        }
        for (String text : List.of("", "A", code + "A", code + "=", code.substring(0, 38), "A".repeat(10_000))) {
            assertThat(tokens.invitation(text, SALE, TIERS)).as(text).isEmpty();
        }
    }

    @Test
    void aNewKeyInFrontLeavesCodesAndTheirUsersGood() {
        String code = tokens.sign(SALE, invitation(tokens.invited(SALE, "ann")));
        RoomTokens both = tokens(2, 1);
        Invitation read = both.invitation(code, SALE, TIERS).orElseThrow();
        assertThat(both.isFor(read, SALE, "ann")).isTrue();
        assertThat(both.isFor(read, SALE, "bob")).isFalse();
        assertThat(both.isFor(read, new RoomName("other"), "ann")).isFalse();
        assertThat(both.isFor(invitation(null), SALE, "bob")).isTrue();
    }

    @Test
    void anEndThatFitsIntoNoCodeIsRefused() {
        Invitation late = new Invitation(new InvitationId(1, 1), "press", 1, Instant.parse("2107-01-01T00:00:00Z"),
                null);
        assertThatThrownBy(() -> tokens.sign(SALE, late)).hasMessageContaining("before 2106");
    }

    @Test
    void theUsesOfASeriesAreKnownByTheirIdsAndNoOtherIdIsOne() {
        InvitationId id = new InvitationId(7, 9);
        assertThat(InvitationId.of(id.use())).contains(id);
        assertThat(InvitationId.of(InvitationId.revocation(7))).isEmpty();
        assertThat(InvitationId.parse(InvitationId.text(7))).hasValue(7);
        assertThat(InvitationId.parse("7")).isEmpty();
        assertThatThrownBy(() -> new InvitationId(7, 0)).hasMessageContaining("use 1 to 10000");
        assertThatThrownBy(() -> new InvitationId(-1, 1)).hasMessageContaining("48 bits");
    }
}
