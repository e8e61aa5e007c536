/** Invitations to tiers: signed codes, and why one does not count. {@link dev.orderly.room.invitation.Invitation}. */
@NullMarked
package dev.orderly.room.invitation;

import org.jspecify.annotations.NullMarked;
