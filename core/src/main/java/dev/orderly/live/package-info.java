/**
 * Messages to and from users who are connected now, and presence: which users are online.
 *
 * <p>Applications use {@link dev.orderly.live.Users}. A transport, such as WebSockets, makes a
 * {@link dev.orderly.live.LiveConnection} of each of its connections and hands it to the
 * {@link dev.orderly.live.LiveEngine}.
 */
@NullMarked
package dev.orderly.live;

import org.jspecify.annotations.NullMarked;
