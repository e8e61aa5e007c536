package dev.orderly.room.token;

import dev.orderly.Internal;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.Invitation;
import dev.orderly.room.token.TokenClaims.Figure;
import dev.orderly.room.token.TokenClaims.Word;
import dev.orderly.room.work.WorkChallenge;
import dev.orderly.room.work.WorkSolution;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Signs and verifies tickets, passes, links to places and waits before them: JWT in compact form, HS256; and codes of
 * invitations. A token that
 * was changed, belongs to another room or epoch, has the other type, or cannot be read for any reason counts as none:
 * no method throws for a token that a visitor sends. The header is compared as text with the few that are issued,
 * before anything else, so that no {@code alg} is ever read.
 *
 * <p>Thread-safe and immutable. Takes about a microsecond, never blocks, and may be called on event loops. Does not
 * know which visitors were revoked.
 */
@Internal(to = "dev.orderly")
public final class RoomTokens {
    /**
     * The longest token that is read, in characters. Tokens signed here have at most 350, except with long room names.
     */
    public static final int TOKEN_MAX = 512;

    /**
     * How far in the future a token may have been issued: clocks of nodes differ, and a visitor must not lose a place
     * over that. The expiry of a token has no such tolerance.
     */
    public static final Duration CLOCK_TOLERANCE = Duration.ofHours(1);

    private static final String TICKET = "ot+jwt";
    private static final String PASS = "op+jwt";
    private static final String LINK = "ol+jwt";
    private static final String WAIT = "ow+jwt";
    private static final String WORK = "ok+jwt";
    private static final String INVITATION = "oi+jwt";
    private static final String USER = "ou+jwt";

    private final List<TokenSigner> tickets;
    private final List<TokenSigner> passes;
    private final List<TokenSigner> links;
    private final List<TokenSigner> waits;
    private final List<TokenSigner> works;
    private final InvitationCodes invitations;
    private final List<TokenSigner> users;

    public RoomTokens(TokenKeys keys) {
        tickets = keys.all().stream().map(key -> new TokenSigner(key, TICKET)).toList();
        passes = keys.all().stream().map(key -> new TokenSigner(key, PASS)).toList();
        links = keys.all().stream().map(key -> new TokenSigner(key, LINK)).toList();
        waits = keys.all().stream().map(key -> new TokenSigner(key, WAIT)).toList();
        users = keys.all().stream().map(key -> new TokenSigner(key, USER)).toList();
        works = keys.all().stream().map(key -> new TokenSigner(key, WORK)).toList();
        invitations = new InvitationCodes(keys.all().stream().map(key -> new TokenSigner(key, INVITATION)).toList());
    }

    /**
     * The token of a ticket, ASCII. Fractions of seconds are dropped.
     *
     * @throws IllegalArgumentException if a number is out of its bounds, or the ticket ends before it begins
     */
    public String sign(Ticket ticket) {
        TokenClaims claims = claims(ticket);
        if (ticket.told() != null) {
            claims.with(Figure.TOLD_END, ticket.told().end().getEpochSecond())
                    .with(Figure.TOLD_AHEAD, ticket.told().ahead());
        }
        return tickets.getFirst().sign(lasting(claims, ticket.issuedAt(), ticket.expiresAt()).json());
    }

    /**
     * The token of a pass, ASCII. Fractions of seconds are dropped.
     *
     * @throws IllegalArgumentException if a number is out of its bounds, or the pass ends before it begins
     */
    public String sign(Pass pass) {
        TokenClaims claims = claims(pass.room(), pass.visitor(), pass.epoch(), pass.place())
                .with(Figure.WAITED, pass.waited().toSeconds());
        if (pass.latestEnd() != null) {
            claims.with(Figure.LATEST_END, pass.latestEnd().getEpochSecond());
        }
        return passes.getFirst().sign(lasting(claims, pass.issuedAt(), pass.expiresAt()).json());
    }

    /**
     * The secret of a link that moves the place of a ticket to another device, ASCII. It counts as neither ticket nor
     * pass.
     *
     * @param until end of the link, in whole seconds
     */
    public String signLink(Ticket ticket, Instant until) {
        TokenClaims claims = claims(ticket).with(Figure.LINK_END, until.getEpochSecond());
        return links.getFirst().sign(lasting(claims, ticket.issuedAt(), ticket.expiresAt()).json());
    }

    /** The ticket of a link's secret, if the secret is authentic and valid for this room, epoch and moment. */
    public Optional<Ticket> linked(String secret, RoomName room, long epoch, Instant now) {
        Objects.requireNonNull(now, "now");
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(secret, "secret");
        return read(links, secret, claims -> claims.isFor(room) && claims.number(Figure.EPOCH) >= epoch
                && now.getEpochSecond() < claims.number(Figure.LINK_END), claims -> ticket(room, claims))
                .filter(ticket -> holds(ticket.issuedAt(), ticket.expiresAt(), now));
    }

    /**
     * The token of a wait before a place, ASCII. It counts as neither ticket nor pass. Fractions of seconds are
     * dropped.
     */
    public String sign(RoomName room, long epoch, JoinWait wait, Instant now) {
        Objects.requireNonNull(now, "now");
        TokenClaims claims = TokenClaims.of(room, wait.id()).with(Figure.EPOCH, epoch)
                .with(Figure.PLACE_FROM, wait.from().getEpochSecond());
        if (wait.byWork()) {
            claims.with(Figure.BY_WORK, 1);
        }
        return waits.getFirst().sign(lasting(claims, now, wait.until()).json());
    }

    /**
     * The wait of a token, if the token is authentic and valid for this room and moment, of this epoch or of a later
     * one.
     */
    public Optional<JoinWait> joinWait(String token, RoomName room, long epoch, Instant now) {
        Objects.requireNonNull(now, "now");
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(token, "token");
        return read(waits, token, room, epoch, claims -> new JoinWait(claims.visitor(),
                Instant.ofEpochSecond(claims.number(Figure.PLACE_FROM)), expiresAt(claims),
                claims.optional(Figure.BY_WORK).isPresent()))
                .filter(wait -> now.isBefore(wait.until()));
    }

    /**
     * The challenge as JSON, with a signature that binds it to a room, an epoch and a network.
     *
     * @param network of those who may solve it
     */
    public String sign(RoomName room, long epoch, String network, WorkChallenge challenge) {
        Objects.requireNonNull(challenge, "challenge");
        return challenge.json(works.getFirst().signature(bound(room, epoch, network, challenge)));
    }

    /** Whether the challenge of a solution was signed for this room, epoch, network and cost, and has not ended. */
    public boolean isAuthentic(WorkSolution solution, RoomName room, long epoch, String network, int cost,
            Instant now) {
        Objects.requireNonNull(solution, "solution");
        Objects.requireNonNull(now, "now");
        String text = bound(room, epoch, network, solution.challenge(cost));
        byte[] shown = solution.signature().getBytes(StandardCharsets.UTF_8);
        return now.isBefore(solution.until()) && works.stream().anyMatch(signer -> MessageDigest.isEqual(shown,
                signer.signature(text).getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * The code of an invitation, ASCII. It counts as neither ticket nor pass. Fractions of seconds are dropped.
     *
     * @throws IllegalArgumentException if its end or its epoch is out of the bounds of a code
     */
    public String sign(RoomName room, Invitation invitation) {
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(invitation, "invitation");
        return invitations.sign(room, invitation);
    }

    /** The hash of a user in a room; an invitation with it is for that user alone. */
    public String invited(RoomName room, String user) {
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(user, "user");
        return invitations.user(room, user);
    }

    /** Whether an invitation is for this user of a room, or for everybody. */
    public boolean isFor(Invitation invitation, RoomName room, String user) {
        Objects.requireNonNull(invitation, "invitation");
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(user, "user");
        return invitations.isFor(invitation, room, user);
    }

    /**
     * The invitation of a code, if it was issued for one of these tiers of the room; ended, used or not.
     *
     * @param tiers names of tiers
     */
    public Optional<Invitation> invitation(String code, RoomName room, List<String> tiers) {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(tiers, "tiers");
        return code.length() > TOKEN_MAX ? Optional.empty() : invitations.read(code, room, tiers);
    }

    /** The hashes of a user in a room by each key of the site, the one that signs first. They are ids of no visitor. */
    public List<VisitorId> users(RoomName room, String user) {
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(user, "user");
        return users.stream().map(signer -> VisitorId.derived(signer.signature(room + " " + user))).toList();
    }

    private static String bound(RoomName room, long epoch, String network, WorkChallenge challenge) {
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(network, "network");
        return room + " " + epoch + " " + challenge.parameters() + " " + network;
    }

    /**
     * The ticket of a token, if the token is authentic and valid for this room and moment, of this epoch or of a later
     * one: whoever asks may learn late of new epochs.
     */
    public Optional<Ticket> ticket(String token, RoomName room, long epoch, Instant now) {
        Objects.requireNonNull(now, "now");
        Objects.requireNonNull(room, "room");
        return read(tickets, token, room, epoch, claims -> ticket(room, claims))
                .filter(ticket -> holds(ticket.issuedAt(), ticket.expiresAt(), now));
    }

    /**
     * The ticket of a token, if the token is authentic and belongs to this room, of any epoch, expired or not. It
     * proves nothing but that it was once given.
     */
    public Optional<Ticket> authenticTicket(String token, RoomName room) {
        Objects.requireNonNull(room, "room");
        return read(tickets, token, claims -> claims.isFor(room), claims -> ticket(room, claims));
    }

    /**
     * The pass of a token, if the token is authentic and valid for this room and moment, of this epoch or of a later
     * one.
     */
    public Optional<Pass> pass(String token, RoomName room, long epoch, Instant now) {
        Objects.requireNonNull(now, "now");
        Objects.requireNonNull(room, "room");
        return authenticPass(token, room, epoch).filter(pass -> holds(pass.issuedAt(), pass.expiresAt(), now));
    }

    /**
     * The pass of a token, if the token is authentic and belongs to this room and to this epoch or a later one, expired
     * or not. It only proves that its visitor was admitted once: ask the store before admitting a visitor with an
     * expired pass.
     */
    public Optional<Pass> authenticPass(String token, RoomName room, long epoch) {
        Objects.requireNonNull(room, "room");
        return read(passes, token, room, epoch, claims -> pass(room, claims));
    }

    private static <T> Optional<T> read(List<TokenSigner> signers, String token, RoomName room, long epoch,
            Function<TokenClaims, T> convert) {
        return read(signers, token, claims -> claims.isFor(room) && claims.number(Figure.EPOCH) >= epoch, convert);
    }

    private static <T> Optional<T> read(List<TokenSigner> signers, String token, Predicate<TokenClaims> fits,
            Function<TokenClaims, T> convert) {
        if (token.length() > TOKEN_MAX) {
            return Optional.empty();
        }
        try {
            for (TokenSigner signer : signers) {
                if (signer.hasHeader(token)) {
                    return signer.verify(token).map(TokenClaims::read).map(TokenClaims::checkOrder)
                            .filter(fits).map(convert);
                }
            }
            return Optional.empty();
        } catch (RuntimeException _) {
            return Optional.empty();
        }
    }

    private static Ticket ticket(RoomName room, TokenClaims claims) {
        return new Ticket(room, claims.visitor(), claims.number(Figure.EPOCH), claims.number(Figure.PLACE),
                claims.number(Figure.AHEAD), issuedAt(claims), expiresAt(claims),
                claims.optional(Figure.TOLD_END).map(end -> new Ticket.Told(Instant.ofEpochSecond(end),
                        claims.number(Figure.TOLD_AHEAD))).orElse(null),
                claims.optional(Word.NONCE).map(nonce -> entry(claims, nonce)).orElse(null),
                claims.optional(Figure.SHARED).isPresent());
    }

    private static Ticket.Entry entry(TokenClaims claims, String nonce) {
        return new Ticket.Entry(claims.number(Figure.PLACE), claims.optional(Word.FIRST_VISITOR)
                .map(text -> VisitorId.parse(text).orElseThrow()).orElseGet(claims::visitor), nonce,
                claims.optional(Figure.BROWSER).isPresent(), false);
    }

    /** The claims of a ticket: a drawn place is not one of them, since it follows from the draw. */
    private static TokenClaims claims(Ticket ticket) {
        TokenClaims claims = claims(ticket.room(), ticket.visitor(), ticket.epoch(), ticket.issued())
                .with(Figure.AHEAD, ticket.ahead());
        if (ticket.shared()) {
            claims.with(Figure.SHARED, 1);
        }
        Ticket.Entry entry = ticket.entry();
        if (entry != null && !entry.nonce().isEmpty()) {
            claims.with(Word.NONCE, entry.nonce());
            if (entry.browser()) {
                claims.with(Figure.BROWSER, 1);
            }
            if (!entry.ticket().equals(ticket.visitor())) {
                claims.with(Word.FIRST_VISITOR, entry.ticket().toString());
            }
        }
        return claims;
    }

    private static Pass pass(RoomName room, TokenClaims claims) {
        return new Pass(room, claims.visitor(), claims.number(Figure.EPOCH), claims.number(Figure.PLACE),
                Duration.ofSeconds(claims.number(Figure.WAITED)), issuedAt(claims), expiresAt(claims),
                claims.optional(Figure.LATEST_END).map(Instant::ofEpochSecond).orElse(null));
    }

    private static TokenClaims claims(RoomName room, VisitorId visitor, long epoch, long place) {
        return TokenClaims.of(room, visitor).with(Figure.EPOCH, epoch).with(Figure.PLACE, place);
    }

    private static TokenClaims lasting(TokenClaims claims, Instant issuedAt, Instant expiresAt) {
        return claims.with(Figure.ISSUED_AT, issuedAt.getEpochSecond())
                .with(Figure.EXPIRES_AT, expiresAt.getEpochSecond()).checkOrder();
    }

    private static Instant issuedAt(TokenClaims claims) {
        return Instant.ofEpochSecond(claims.number(Figure.ISSUED_AT));
    }

    private static Instant expiresAt(TokenClaims claims) {
        return Instant.ofEpochSecond(claims.number(Figure.EXPIRES_AT));
    }

    private static boolean holds(Instant issuedAt, Instant expiresAt, Instant now) {
        return now.isBefore(expiresAt) && !issuedAt.isAfter(now.plus(CLOCK_TOLERANCE));
    }
}
