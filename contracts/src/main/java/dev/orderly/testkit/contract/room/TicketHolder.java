package dev.orderly.testkit.contract.room;

import dev.orderly.room.VisitorId;
import dev.orderly.room.store.JoinResult;

/** A visitor with a ticket. */
record TicketHolder(VisitorId id, long epoch, long place) {
    TicketHolder(VisitorId id, JoinResult joined) {
        this(id, joined.epoch(), joined.place());
    }
}
