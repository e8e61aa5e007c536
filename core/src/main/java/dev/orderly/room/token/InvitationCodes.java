package dev.orderly.room.token;

import dev.orderly.room.RoomName;
import dev.orderly.room.invitation.Invitation;
import dev.orderly.room.invitation.InvitationId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Codes of invitations: 38 characters of URL-safe Base64, 48 for one user. They have the series, the number, the epoch,
 * the end, a hash of the user, and 96 bits of a signature, which binds them to a room and a tier. Immutable and
 * thread-safe.
 */
final class InvitationCodes {
    private static final int FIXED = 16;
    private static final int USER = 8;
    private static final int SIGNATURE = 12;
    private static final int SHORT = 0xffff;
    private static final long UNSIGNED = 0xffff_ffffL;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final List<TokenSigner> signers;

    /** @param signers the one that signs first */
    InvitationCodes(List<TokenSigner> signers) {
        this.signers = List.copyOf(signers);
    }

    /** The hash of a user that an invitation for the user has. */
    String user(RoomName room, String user) {
        return user(signers.getFirst(), room, user);
    }

    private static String user(TokenSigner signer, RoomName room, String user) {
        return signer.signature("user " + room + " " + user).substring(0, 2 * USER);
    }

    /** Whether an invitation is for the user, or for everybody. */
    boolean isFor(Invitation invitation, RoomName room, String user) {
        return invitation.user() == null
                || signers.stream().anyMatch(signer -> user(signer, room, user).equals(invitation.user()));
    }

    /** @throws IllegalArgumentException if the end or the epoch is out of the bounds of a code */
    String sign(RoomName room, Invitation invitation) {
        long until = invitation.until().getEpochSecond();
        if (until != (until & UNSIGNED) || invitation.epoch() != (invitation.epoch() & UNSIGNED)) {
            throw new IllegalArgumentException("An invitation of epoch " + invitation.epoch() + " until "
                    + invitation.until() + " fits into no code: let it end before 2106");
        }
        String user = invitation.user() == null ? "" : invitation.user();
        long series = invitation.id().series();
        byte[] content = ByteBuffer.allocate(FIXED + user.length() / 2).putShort((short) (series >>> Integer.SIZE))
                .putInt((int) series).putShort((short) invitation.id().number()).putInt((int) invitation.epoch())
                .putInt((int) until).put(HexFormat.of().parseHex(user)).array();
        byte[] code = Arrays.copyOf(content, content.length + SIGNATURE);
        System.arraycopy(signature(signers.getFirst(), room, invitation.tier(), content), 0, code, content.length,
                SIGNATURE);
        return ENCODER.encodeToString(code);
    }

    /** The invitation of a code that was issued for one of these tiers of the room; empty for any other text. */
    Optional<Invitation> read(String text, RoomName room, List<String> tiers) {
        byte[] code = decoded(text);
        if (code.length != FIXED + SIGNATURE && code.length != FIXED + USER + SIGNATURE) {
            return Optional.empty();
        }
        byte[] content = Arrays.copyOf(code, code.length - SIGNATURE);
        byte[] shown = Arrays.copyOfRange(code, content.length, code.length);
        return tiers.stream().filter(tier -> signers.stream()
                .anyMatch(signer -> MessageDigest.isEqual(signature(signer, room, tier, content), shown))).findFirst()
                .map(tier -> read(tier, content));
    }

    private static Invitation read(String tier, byte[] content) {
        ByteBuffer buffer = ByteBuffer.wrap(content);
        long series = (long) (buffer.getShort() & SHORT) << Integer.SIZE | (buffer.getInt() & UNSIGNED);
        InvitationId id = new InvitationId(series, buffer.getShort() & SHORT);
        return new Invitation(id, tier, buffer.getInt() & UNSIGNED, Instant.ofEpochSecond(buffer.getInt() & UNSIGNED),
                buffer.hasRemaining() ? HexFormat.of().formatHex(content, FIXED, content.length) : null);
    }

    /** The bytes of a text in its only spelling; none for any other text. */
    private static byte[] decoded(String text) {
        try {
            byte[] code = Base64.getUrlDecoder().decode(text.getBytes(StandardCharsets.UTF_8));
            return ENCODER.encodeToString(code).equals(text) ? code : new byte[0];
        } catch (IllegalArgumentException _) {
            return new byte[0];
        }
    }

    private static byte[] signature(TokenSigner signer, RoomName room, String tier, byte[] content) {
        String text = "invitation " + room + " " + tier + " " + ENCODER.encodeToString(content);
        return Arrays.copyOf(HexFormat.of().parseHex(signer.signature(text)), SIGNATURE);
    }
}
