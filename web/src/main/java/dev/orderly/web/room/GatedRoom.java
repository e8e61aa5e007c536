package dev.orderly.web.room;

import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomVisits;
import dev.orderly.web.room.check.JoinCheck;
import dev.orderly.web.room.log.VisitorLog;
import dev.orderly.web.room.page.WaitingPage;
import dev.orderly.web.user.Authenticator;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A room with the requests that it protects and the answers for its waiting visitors. Immutable. */
public final class GatedRoom {
    private static final Pattern SIGN_IN = Pattern.compile("(?:https?://|/(?!/))[^\\s\"<>\\\\#]*");

    private final Room room;
    private final RoomMatch match;
    private final WaitingPage page;
    private final int waitingStatus;
    private final boolean holds;
    private final VisitorLog log;
    private final Authenticator users;
    private final @Nullable JoinCheck check;
    private final @Nullable String signIn;

    private GatedRoom(Room room, RoomMatch match, WaitingPage page, int waitingStatus, boolean holds,
            VisitorLog log, Authenticator users, @Nullable JoinCheck check, @Nullable String signIn) {
        this.room = Objects.requireNonNull(room, "room");
        this.match = Objects.requireNonNull(match, "match");
        this.page = Objects.requireNonNull(page, "page");
        this.waitingStatus = waitingStatus;
        this.holds = holds;
        this.log = Objects.requireNonNull(log, "log");
        this.users = Objects.requireNonNull(users, "users");
        this.check = check;
        this.signIn = signIn;
    }

    /** A room that answers with 503 and at once, and whose requests are not recorded. */
    public static GatedRoom of(Room room, RoomMatch match, WaitingPage page) {
        return new GatedRoom(room, match, page, 503, false, VisitorLog.NONE, Authenticator.NONE, null, null);
    }

    public Room room() {
        return room;
    }

    public RoomMatch match() {
        return match;
    }

    public WaitingPage page() {
        return page;
    }

    /** The status for waiting visitors: 503, 429, 202 or 200. */
    public int waitingStatus() {
        return waitingStatus;
    }

    /** Whether the request of a called visitor may wait for a free admission, see {@link RoomVisits#hold}. */
    public boolean holds() {
        return holds;
    }

    /** Records the requests. */
    public VisitorLog log() {
        return log;
    }

    /** @throws IllegalArgumentException if waiting visitors cannot be answered with this status */
    public static void checkStatus(int waitingStatus) {
        if (waitingStatus != 503 && waitingStatus != 429 && waitingStatus != 202 && waitingStatus != 200) {
            throw new IllegalArgumentException(
                    "The waiting status is " + waitingStatus + ": use 503, 429, 202 or 200");
        }
    }

    /** @throws IllegalArgumentException if it is none of 503, 429, 202 and 200 */
    public GatedRoom withWaitingStatus(int value) {
        checkStatus(value);
        return new GatedRoom(room, match, page, value, holds, log, users, check, signIn);
    }

    /** With {@code true} for a server in which a request that waits takes no thread. */
    public GatedRoom withHolds(boolean value) {
        return new GatedRoom(room, match, page, waitingStatus, value, log, users, check, signIn);
    }

    public GatedRoom withLog(VisitorLog value) {
        return new GatedRoom(room, match, page, waitingStatus, holds, Objects.requireNonNull(value, "value"),
                users, check, signIn);
    }

    /** Who the users of requests are: their places are counted, and they may have one each. */
    public Authenticator users() {
        return users;
    }

    /**
     * Asks the application who is signed in. A user may have one place on all devices, and be in a tier by a claim. The
     * places that a user takes are counted; the id of the user is kept in memory for two hours.
     */
    public GatedRoom withUsers(RoomUsers value) {
        return withUsers(new ToldUsers(Objects.requireNonNull(value, "value")));
    }

    /** Verifies users as the edge does. Counts the places of each; a token is never kept. */
    public GatedRoom withUsers(Authenticator value) {
        return new GatedRoom(room, match, page, waitingStatus, holds, log, Objects.requireNonNull(value, "value"),
                check, signIn);
    }

    /** Decides which visitors get a place; null if all do. */
    public @Nullable JoinCheck check() {
        return check;
    }

    /** Asks a program of the operator's before a visitor gets a place; null to ask none. */
    public GatedRoom withCheck(@Nullable JoinCheck value) {
        return new GatedRoom(room, match, page, waitingStatus, holds, log, users, value, signIn);
    }

    /** The address of the page that signs users in; null for none. */
    public @Nullable String signIn() {
        return signIn;
    }

    /** Whether a text is an address for {@link #withSignIn}. */
    public static boolean isSignIn(String address) {
        Objects.requireNonNull(address, "address");
        return SIGN_IN.matcher(address).matches();
    }

    /** @throws IllegalArgumentException if a text is no address for {@link #withSignIn} */
    public static void checkSignIn(String address) {
        if (!isSignIn(address)) {
            throw new IllegalArgumentException("The address " + address + " signs nobody in: use https://, http:// or a"
                    + " path that starts with one slash, without a fragment");
        }
    }

    /**
     * Leads visitors who have to sign in there, with the page to go on to as the parameter {@code back}; null for no
     * link, the default.
     *
     * @throws IllegalArgumentException if it is neither an address with http or https nor a path of the site
     */
    public GatedRoom withSignIn(@Nullable String value) {
        if (value != null) {
            checkSignIn(value);
        }
        return new GatedRoom(room, match, page, waitingStatus, holds, log, users, check, value);
    }

    /** The same room for a site below a path, see {@link WaitingPage#below}. */
    public GatedRoom below(String path) {
        return new GatedRoom(room, match, page.below(path), waitingStatus, holds, log, users, check, signIn);
    }
}
