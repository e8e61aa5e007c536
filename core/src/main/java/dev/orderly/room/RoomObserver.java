package dev.orderly.room;

import dev.orderly.Internal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An observer of the visitors of this gate. Must neither block nor throw. A method with a tier passes the observation
 * on to the one without it by default; every other method does nothing.
 */
@Internal(to = "dev.orderly")
public interface RoomObserver {
    /** Observes nothing. */
    RoomObserver NONE = new RoomObserver() {
    };

    /** An observer that passes each observation to others, in their order. */
    static RoomObserver of(List<RoomObserver> observers) {
        List<RoomObserver> all = List.copyOf(observers);
        return new RoomObserver() {
            @Override
            public void arrived(RoomName room) {
                all.forEach(each -> each.arrived(room));
            }

            @Override
            public void arrived(RoomName room, @Nullable String tier) {
                all.forEach(each -> each.arrived(room, tier));
            }

            @Override
            public void invited(RoomName room, String tier) {
                all.forEach(each -> each.invited(room, tier));
            }

            @Override
            public void announced(RoomName room, Duration likely) {
                all.forEach(each -> each.announced(room, likely));
            }

            @Override
            public void entered(RoomName room, Duration waited) {
                all.forEach(each -> each.entered(room, waited));
            }

            @Override
            public void entered(RoomName room, @Nullable String tier, Duration waited) {
                all.forEach(each -> each.entered(room, tier, waited));
            }

            @Override
            public void compared(RoomName room, AnnouncedWait wait) {
                all.forEach(each -> each.compared(room, wait));
            }

            @Override
            public void compared(RoomName room, @Nullable String tier, AnnouncedWait wait) {
                all.forEach(each -> each.compared(room, tier, wait));
            }

            @Override
            public void becameAbsent(RoomName room, int visitors) {
                all.forEach(each -> each.becameAbsent(room, visitors));
            }
        };
    }

    /**
     * The wait of a visitor who entered, and the range that was announced first.
     *
     * @param low begin of the range
     * @param high end of the range
     * @param waited time since the announcement
     */
    record AnnouncedWait(Duration low, Duration high, Duration waited) {
        /** Whether the wait was inside the range. */
        public boolean isKept() {
            return waited.compareTo(low) >= 0 && waited.compareTo(high) <= 0;
        }

        public Duration middle() {
            return low.plus(high).dividedBy(2);
        }
    }

    /** A visitor took a place, with or without a wait. */
    default void arrived(RoomName room) {}

    /**
     * A visitor took a place in the line of a tier, with or without a wait.
     *
     * @param tier null for visitors of no tier
     */
    default void arrived(RoomName room, @Nullable String tier) {
        arrived(room);
    }

    /** A visitor who {@linkplain #arrived(RoomName, String) arrived} used an invitation to a tier. */
    default void invited(RoomName room, String tier) {}

    /**
     * A visitor took a place and was given the first estimate of the wait.
     *
     * @param likely the middle of the range
     */
    default void announced(RoomName room, Duration likely) {}

    /**
     * A visitor entered.
     *
     * @param waited time since the visitor took the place
     */
    default void entered(RoomName room, Duration waited) {}

    /**
     * A visitor of the line of a tier entered.
     *
     * @param tier null for visitors of no tier
     * @param waited time since the visitor took the place
     */
    default void entered(RoomName room, @Nullable String tier, Duration waited) {
        entered(room, waited);
    }

    /** A visitor entered after a range was announced at this gate. Some visitors of a long line are left out. */
    default void compared(RoomName room, AnnouncedWait wait) {}

    /**
     * As {@link #compared(RoomName, AnnouncedWait)}, for a visitor of the line of a tier.
     *
     * @param tier null for visitors of no tier
     */
    default void compared(RoomName room, @Nullable String tier, AnnouncedWait wait) {
        compared(room, wait);
    }

    /** Waiting visitors who had asked for their position became absent. */
    default void becameAbsent(RoomName room, int visitors) {}
}
