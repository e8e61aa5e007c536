package dev.orderly.testkit.contract;

import dev.orderly.room.JoinResult;
import dev.orderly.room.VisitorId;

/** A visitor with a ticket. */
record Visitor(VisitorId id, long epoch, long place) {
    Visitor(VisitorId id, JoinResult joined) {
        this(id, joined.epoch(), joined.place());
    }
}
